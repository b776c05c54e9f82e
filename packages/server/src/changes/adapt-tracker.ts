import type { Tracker, Unavailable } from "@rightseat/changes/client/tracker";
import type { ChangeFile, ChangeSummary, ChangeDetail as RecordedDetail } from "@rightseat/changes/model";
import type { Change, ChangedFile, UndoneChange } from "@rightseat/protocol/model/change";
import { isoTime } from "../core/kernel/clock.ts";
import { AppError } from "../core/kernel/errors.ts";
import type { ConversationId } from "../core/kernel/ids.ts";
import type { ChangeTracker, RecordedChange } from "../core/ports/changes.ts";

/** Everything that the conversation did, folded into one. */
const WHOLE = "conversation";

/** The recorder behind core's port: the same words, in the shapes of the protocol; what it cannot answer is `changes-unavailable`. */
export function adaptTracker(tracker: Tracker): ChangeTracker {
	let leftOpen: Promise<unknown> | undefined;

	/** What an earlier process left open is settled once, before the first question about it. */
	async function settleLeftOpen(): Promise<void> {
		leftOpen ??= tracker.settleLeftOpen().then(available);
		try {
			await leftOpen;
		} catch (error) {
			leftOpen = undefined;
			throw error;
		}
	}

	/** What became of the changes that this one acted on. */
	async function undoesOf(conversationId: ConversationId, { undoes = [] }: ChangeSummary): Promise<UndoneChange[]> {
		const found = await Promise.all(undoes.map(async (changeId) => available(await tracker.get({ conversationId, changeId }))));
		return found.flatMap((detail) => (detail === undefined ? [] : [undoneOf(detail.change)]));
	}

	return {
		prepare: (cwd) => void tracker.prepare(cwd),
		openWindow: tracker.openWindow,
		addPaths: tracker.addPaths,
		closeWindow: tracker.closeWindow,
		async settle(changeId) {
			const detail = await tracker.settle(changeId);
			if (detail === undefined) return { kind: "nothing" };
			return isUnavailable(detail) ? { kind: "unavailable" } : { kind: "changed", change: toChange(detail.change) };
		},
		async recall(conversationId, changeId) {
			await settleLeftOpen();
			const detail = available(await tracker.get({ conversationId, changeId }));
			if (detail?.change.partial === true) throw unavailable();
			if (detail === undefined || isEmpty(detail)) return undefined;
			return { change: toChange(detail.change), undoes: await undoesOf(conversationId, detail.change) };
		},
		async list(conversationId, page) {
			const { changes, nextCursor } = available(await tracker.list(conversationId, page));
			return { changes: changes.map(toChange), ...(nextCursor === undefined ? {} : { nextCursor }) };
		},
		async get(conversationId, changeId) {
			const detail = available(await tracker.get({ conversationId, changeId }));
			if (detail === undefined) return undefined;
			const { change, files, notCovered } = detail;
			const shown: Change = changeId === WHOLE ? { ...toChange(change), kind: WHOLE } : toChange(change);
			return { change: shown, files: files.map(toFile), notCovered: [...notCovered] };
		},
		diff: async (conversationId, changeId, path) => available(await tracker.diff({ conversationId, changeId }, path))?.bytes,
		async hunks(conversationId, changeId, { path, ignoreWhitespace }) {
			const found = available(await tracker.hunks({ conversationId, changeId }, path, { ignoreWhitespace }));
			if (found === undefined) return undefined;
			const hunks = found.hunks.map((hunk) => ({ ...hunk, lines: [...hunk.lines] }));
			return { ...found, file: toFile(found.file), hunks };
		},
		content: async (conversationId, changeId, { path, side }) =>
			available(await tracker.content({ conversationId, changeId }, path, side))?.bytes,
		async undo(request) {
			const changeIds = request.changeIds.includes(WHOLE) ? WHOLE : request.changeIds;
			const done = available(await tracker.undo({ ...request, changeIds }));
			if (done === undefined) return undefined;
			const files = done.files.map(({ path, result, reason, holders }) => ({
				...{ path, result, ...(reason === undefined ? {} : { reason }) },
				...(holders === undefined ? {} : { holders: [...holders] }),
			}));
			return { files, ...(done.change === undefined ? {} : { change: toChange(done.change) }), undoes: [...done.undoes] };
		},
		forget: tracker.forget,
		close: tracker.close,
	};
}

function isUnavailable(answer: object | undefined): answer is Unavailable {
	return answer !== undefined && "unavailable" in answer;
}

function available<T extends object | undefined>(answer: T | Unavailable): T {
	if (!isUnavailable(answer)) return answer;
	throw unavailable();
}

const unavailable = () =>
	new AppError("changes-unavailable", "The recorder of changes does not answer. It is being started again; try again in a moment.", {
		retryable: true,
	});

const undoneOf = ({ id, messageId, undone }: ChangeSummary): UndoneChange => ({
	changeId: id,
	...(messageId === undefined ? {} : { messageId }),
	undone,
});

const isEmpty = ({ change, files, notCovered }: RecordedDetail) =>
	files.length === 0 && notCovered.length === 0 && change.unfinished !== true;

function toChange(change: ChangeSummary): RecordedChange {
	const { conversationId: _, at, undoes, notCovered, ...rest } = change;
	return {
		...rest,
		at: isoTime(at),
		...(notCovered === 0 ? {} : { notCovered }),
		...(undoes === undefined || undoes.length === 0 ? {} : { undoes: [...undoes] }),
	};
}

/** The recorder's lists are read-only, the protocol's are not. */
function toFile({ also, during, ...file }: ChangeFile): ChangedFile {
	return { ...file, ...(also === undefined ? {} : { also: [...also] }), ...(during === undefined ? {} : { during: [...during] }) };
}
