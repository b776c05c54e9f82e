import type { UndoRequest } from "../client/tracker.ts";
import { findChange, listChangeIds, listSteps } from "../index/change-rows.ts";
import type { ChangesIndex } from "../index/open-index.ts";
import type { ChangeKind, ChangeSummary, Step } from "../model.ts";
import { filesOf, foldSteps, shownIn } from "../steps/change-files.ts";
import type { UndoChoice } from "./plan.ts";

/** A change with the real path of its root. */
export type FoundChange = ChangeSummary & { readonly rootPath: string };

/** What a request means. */
export interface ChosenUndo {
	/** Whose steps are taken back. */
	readonly changes: readonly FoundChange[];
	/** The undo of an undo is a redo. */
	readonly kind: "undo" | "redo";
	/** For each root with steps. */
	readonly parts: ReadonlyMap<string, UndoChoice>;
	/** Names that are in none of the changes. */
	readonly unknown: readonly string[];
	/** As people see it. */
	show(root: string, path: string): string;
}

/** Undefined: there is no such change in this conversation. */
export function chooseSteps(index: ChangesIndex, request: UndoRequest): ChosenUndo | undefined {
	const named = namedChanges(index, request);
	const main = named?.[0];
	if (named === undefined || main === undefined) return undefined;
	const changes = request.kind === "redo" ? named.flatMap((change) => (isUndo(change.kind) ? [change] : undosOf(index, change))) : named;
	const kind = request.kind === "redo" || changes.every((change) => change.kind === "undo") ? "redo" : "undo";
	const steps = changes.flatMap(({ id }) => listSteps(index, id)).sort((one, other) => one.at - other.at);
	const show = (root: string, path: string) => shownIn(main.rootPath, root, path);
	return { changes, kind, show, ...partsOf(steps, request, show) };
}

function namedChanges(index: ChangesIndex, { conversationId, changeIds }: UndoRequest): FoundChange[] | undefined {
	const isAll = changeIds === "conversation" || changeIds.includes("conversation");
	const ids = isAll ? listChangeIds(index, conversationId) : changeIds;
	const found = ids.map((id) => findChange(index, id));
	const own = found.filter((change) => change !== undefined && change.conversationId === conversationId);
	return own.length === ids.length ? own.filter((change) => change !== undefined) : undefined;
}

const isUndo = (kind: ChangeKind) => kind === "undo" || kind === "redo";

/** The undos of a change that were not undone themselves. */
function undosOf(index: ChangesIndex, { id, conversationId }: FoundChange): FoundChange[] {
	return listChangeIds(index, conversationId)
		.map((changeId) => findChange(index, changeId))
		.filter((change) => change !== undefined)
		.filter(({ kind, undone, undoes }) => kind === "undo" && !undone && undoes?.includes(id) === true);
}

function partsOf(steps: readonly Step[], { paths, hunks }: UndoRequest, show: ChosenUndo["show"]): Pick<ChosenUndo, "parts" | "unknown"> {
	const renames = new Map<string, Map<string, string>>();
	for (const { root, path, from } of filesOf(foldSteps(steps)))
		if (from !== undefined) renames.set(root, new Map([...(renames.get(root) ?? []), [path, from.path]]));
	const wanted = paths === undefined && hunks === undefined ? undefined : new Set([...(paths ?? []), ...Object.keys(hunks ?? {})]);
	const used = new Set<string>();
	const isNamed = (name: string) => {
		const found = [...(wanted ?? [])].filter((each) => each === name || name.startsWith(`${each}/`));
		for (const each of found) used.add(each);
		return found.length > 0;
	};
	const parts = new Map<string, UndoChoice>();
	for (const root of new Set(steps.map((step) => step.root))) {
		const own = steps.filter((step) => step.root === root);
		const moved = renames.get(root) ?? new Map<string, string>();
		const only =
			wanted === undefined ? undefined : new Set<string>(own.map(({ path }) => path).filter((path) => isNamed(show(root, path))));
		// Half of a move would leave two files, or none.
		for (const [to, from] of moved) if (only?.has(to) === true || only?.has(from) === true) only.add(to).add(from);
		const chosen = new Map(
			own.flatMap(({ path }) => (hunks?.[show(root, path)] === undefined ? [] : [[path, new Set(hunks[show(root, path)])]])),
		);
		if (only === undefined || only.size > 0)
			parts.set(root, { steps: own, only, renames: moved, ...(chosen.size > 0 && { hunks: chosen }) });
	}
	return { parts, unknown: [...(wanted ?? [])].filter((name) => !used.has(name)) };
}
