import { readdirSync } from "node:fs";
import { bytePath, nameOf, parentOf } from "../paths/byte-path.ts";
import { type Draft, readBelow } from "./draft.ts";
import { openFolder } from "./folder.ts";
import type { UndoReason } from "./reason.ts";

/** Bits of a folder that nobody recorded and that has to be there again. */
const NEW_FOLDER_MODE = 0o755;

/** Makes the plan fit the folders: those that are needed are there or come, and only empty ones go. */
export function fitFolders(root: string, drafts: Map<string, Draft>): void {
	for (const draft of [...drafts.values()]) {
		if ("reason" in draft.fold || draft.fold.state.kind === "absent") continue;
		const reason = needParents(root, draft, drafts);
		if (reason !== undefined) draft.fold = { reason };
	}
	for (const draft of [...drafts.values()].toSorted((one, other) => other.path.length - one.path.length)) keepFilled(root, draft, drafts);
}

function needParents(root: string, draft: Draft, drafts: Map<string, Draft>): UndoReason | undefined {
	// Below a folder that has yet to come nothing needs to be looked at.
	let isNew = false;
	for (const path of ancestorsOf(draft.path)) {
		const planned = drafts.get(path);
		if (planned !== undefined && !("reason" in planned.fold)) {
			if (planned.fold.state.kind === "folder") isNew ||= planned.now.state.kind !== "folder";
			else if (planned.now.state.kind === "folder" && planned.fold.state.kind === "absent") planned.fold = { reason: "folder-not-empty" };
			else return "in-the-way";
			continue;
		}
		const now = isNew ? { state: { kind: "absent" } as const } : (planned?.now ?? readBelow(root, path));
		if (now.state.kind === "folder") continue;
		if (now.state.kind !== "absent") return "link-in-path";
		isNew = true;
		const fold = { state: { kind: "folder", mode: NEW_FOLDER_MODE }, merged: false } as const;
		drafts.set(path, { path: bytePath(path), now, steps: [], isFolder: true, isOurs: true, fold });
	}
	return undefined;
}

/** From the top. */
function ancestorsOf(path: string): string[] {
	const names = path.split("/").slice(0, -1);
	return names.map((_, at) => names.slice(0, at + 1).join("/"));
}

/** A folder goes only if all that is in it goes: whatever else lies there is somebody's. */
function keepFilled(root: string, draft: Draft, drafts: Map<string, Draft>): void {
	if ("reason" in draft.fold || draft.now.state.kind !== "folder" || draft.fold.state.kind === "folder") return;
	const stays = (name: string) => {
		const fold = drafts.get(`${draft.path}/${name}`)?.fold;
		return fold === undefined || "reason" in fold || fold.state.kind !== "absent";
	};
	if (childrenOf(root, draft.path).some(stays)) draft.fold = { reason: "folder-not-empty" };
}

function childrenOf(root: string, path: string): string[] {
	const folder = openFolder(root, parentOf(path));
	if (typeof folder === "string") return [];
	try {
		return readdirSync(folder.at(nameOf(path)), "latin1");
	} catch {
		// What cannot be looked into is left alone by `rmdir` too, unless it is empty.
		return [];
	} finally {
		folder.close();
	}
}
