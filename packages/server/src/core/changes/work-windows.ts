import { cutText } from "@rightseat/protocol/text";
import type { ConversationRows } from "../active/conversation-rows.ts";
import type { ConversationId, IdSource } from "../kernel/ids.ts";
import type { ChangeTracker, ChangeWindow, NamingOfFiles } from "../ports/changes.ts";
import type { Shell } from "../ports/shell.ts";

/** Of a command or a tool, as its window is called. */
const MAX_LABEL_CHARS = 300;

/** What a window belongs to. */
export type WorkOf = Pick<ChangeWindow, "changeId" | "kind" | "messageId">;

/** Something that may change files from now on. */
export interface Work {
	actor: ChangeWindow["actor"];
	label: string;
	/** As the agent names them; without them anything may change. */
	paths?: readonly string[];
	since?: ChangeWindow["since"];
}

/** The windows of one piece of work. */
export interface OpenWork {
	/** Resolves when the state before it is known; undefined when nobody has to wait. Never rejects. */
	readonly opened: Promise<void> | undefined;
	/** Resolves when they were looked at; undefined when nobody has to wait. Never rejects. */
	addPaths(paths: readonly string[], how?: NamingOfFiles): Promise<void> | undefined;
	/** Not waited for: whatever follows is looked at after it. Twice is fine. */
	close(): void;
}

/** Opens windows where a conversation works: in its directory, and where its shell stands if that is elsewhere. Never throws. */
export type OpenWindows = (id: ConversationId, of: WorkOf, work: Work) => OpenWork;

/** A window names absolute paths. */
export function createOpenWindows(deps: {
	tracker: Pick<ChangeTracker, "openWindow" | "addPaths" | "closeWindow">;
	rows: Pick<ConversationRows, "get">;
	shell: Pick<Shell, "cwd">;
	ids: IdSource;
}): OpenWindows {
	const { tracker } = deps;
	return function open(id, of, { actor, label, paths, since = "now" }) {
		const { cwd } = deps.rows.get(id);
		const standing = deps.shell.cwd(id, cwd);
		const absolute = (named: readonly string[]) => named.map((path) => (path.startsWith("/") ? path : `${cwd}/${path}`));
		const windows = [...new Set(paths === undefined ? [cwd, standing] : [cwd])].map(
			(folder): ChangeWindow => ({
				...{ windowId: deps.ids.next(), ...of, conversationId: id, cwd: folder, actor, label: cutText(label, MAX_LABEL_CHARS), since },
				...(paths === undefined ? {} : { paths: absolute(paths) }),
			}),
		);
		const opening = windows.flatMap((window) => tracker.openWindow(window) ?? []);
		const named = new Set(absolute(paths ?? []));
		/** Named in one of them: where both saw it, it would be told twice. */
		const windowOf = (path: string) => (windows.findLast(({ cwd: folder }) => path.startsWith(`${folder}/`)) ?? windows[0])?.windowId ?? "";
		let isOpen = true;
		return {
			opened: opening.length === 0 ? undefined : Promise.all(opening).then(() => undefined),
			addPaths(more, { isTimely = false, claim } = {}) {
				// Said again it counts only while the tool waits.
				const fresh = absolute(more).filter((path) => isTimely || !named.has(path));
				for (const path of fresh) named.add(path);
				const claimed =
					claim === undefined ? undefined : { newText: claim.newText, ...(claim.oldText !== undefined && { oldText: claim.oldText }) };
				const looked = fresh.flatMap(
					(path) => tracker.addPaths(windowOf(path), [path], { isTimely, ...(claimed !== undefined && { claim: claimed }) }) ?? [],
				);
				return looked.length === 0 ? undefined : Promise.all(looked).then(() => undefined);
			},
			close() {
				if (isOpen) for (const { windowId } of windows) void tracker.closeWindow(windowId);
				isOpen = false;
			},
		};
	};
}
