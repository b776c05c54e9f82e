import { addMissed, removeMissed } from "../index/change-rows.ts";
import type { ChangesIndex } from "../index/open-index.ts";
import { type Root, within } from "./roots.ts";
import type { ThreadHandle } from "./thread-handle.ts";
import type { Answer } from "./tracker-protocol.ts";

/** Ends of changes, of which some take longer than anybody waits. */
export interface ChangeEnds {
	/** Ends it in all of these roots. Those that take longer are named in it until they are done; what they find then is written down with it. */
	endIn(open: readonly Root[], changeId: string, ms: number): Promise<void>;
	/** A change whose end goes on says so. */
	marked(answer: Answer): Answer;
}

export function createChangeEnds({ index, desk }: { index: ChangesIndex; desk(): ThreadHandle }): ChangeEnds {
	/** Changes that are told although their end goes on. */
	const ending = new Set<string>();

	return {
		async endIn(open, changeId, ms) {
			const late = new Set(open);
			const ends = open.map(async (root) => {
				const { kind } = await root.thread.ask({ kind: "end", changeId });
				if (kind === "done") late.delete(root);
			});
			const all = Promise.all(ends);
			const isOver = (await within(all, ms)) !== undefined;
			const miss = ({ path, thread }: Root) =>
				addMissed(index, { changeId, root: path, path: "", reason: thread.ended ? "not-answering" : "too-slow" });
			const named = [...late].filter(miss).filter(({ thread }) => !thread.ended);
			if (isOver) return;
			ending.add(changeId);
			void all.then(async () => {
				for (const { path } of named) removeMissed(index, { changeId, root: path, path: "", reason: "too-slow" });
				for (const root of late) miss(root);
				await desk().ask({ kind: "settle", changeId, deadline: 0 });
				ending.delete(changeId);
			});
		},
		marked(answer) {
			if (answer.kind !== "detail" || answer.detail === undefined || !ending.has(answer.detail.change.id)) return answer;
			return { kind: "detail", detail: { ...answer.detail, change: { ...answer.detail.change, partial: true } } };
		},
	};
}
