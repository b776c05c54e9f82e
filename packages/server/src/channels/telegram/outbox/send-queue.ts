import { isStorageRefusal, retryWhileRefused } from "../../../core/active/storage-retry.ts";
import type { Cancel, Clock } from "../../../core/kernel/clock.ts";
import type { CallResult } from "../api/bot-client.ts";

/** Telegram lets a chat change about once a second, a group about twenty times a minute. */
const EDIT_EVERY_MS = { private: 1_000, group: 3_000 } as const;
const UNREACHABLE_RETRY_MS = 2_000;
/** A delete or an edit whose response was lost is repeated so often at once; the chat waits for that. */
const MAX_REPEATS = 5;
/** After that it is tried this often, and everything else goes first: given up, old words would stand there with their buttons until the next start. */
const REST_MS = 60_000;
/** Sends, deletes and edits that wait, each; beyond it the oldest is given up. */
export const MAX_SEND_JOBS = 1_000;
/** What a job is told that was given up before it was run. */
export const GIVEN_UP: CallResult<never> = { kind: "refused", code: 0, description: "given up before it was sent" };

/** Something to do in a chat. */
export interface SendJob {
	/** Run again if it throws because the disk refuses; so is `settle`. */
	run(): Promise<CallResult<unknown>>;
	/** Called with the result, but not while Telegram or the network only wants us to wait. */
	settle(result: CallResult<unknown>): void;
}

export interface SendQueue {
	/** In order, before everything else. */
	send(key: string, job: SendJob): void;
	/** Gives up a send that still waits; its job is told. */
	dropSend(key: string): void;
	remove(job: SendJob): void;
	/** One edit per key waits; edits keep their distance, an urgent one does not wait for that. */
	edit(key: string, job: SendJob, urgent: boolean): void;
	dropEdit(key: string): void;
	/** Nothing is to be done now. */
	idle(): boolean;
	/** Nor later. */
	isEmpty(): boolean;
	close(): void;
}

type Kind = "send" | "remove" | "edit";
interface Waiting {
	kind: Kind;
	key: string;
	job: SendJob;
	urgent: boolean;
	repeats: number;
	/** Of the clock's measured time. */
	restsUntil: number;
}

/** Everything for one chat, one call at a time: sends, then deletes, then edits. A wait that Telegram orders holds this chat only. */
export function createSendQueue(deps: { clock: Clock; isGroup: boolean; onIdle: () => void }): SendQueue {
	const { clock } = deps;
	const sends: Waiting[] = [];
	const removes: Waiting[] = [];
	const edits = new Map<string, Waiting>();
	const spacing = deps.isGroup ? EDIT_EVERY_MS.group : EDIT_EVERY_MS.private;
	let busy = false;
	let closed = false;
	let notBefore = 0;
	let nextEditAt = 0;
	let cancelTimer: Cancel | undefined;

	const isOver = () => closed;
	const isAwake = ({ restsUntil }: Waiting) => restsUntil <= clock.elapsed();
	function next(): Waiting | undefined {
		const awake = [...edits.values()].filter(isAwake);
		return sends[0] ?? removes.find(isAwake) ?? awake.find((edit) => edit.urgent) ?? awake[0];
	}
	const resting = () => [...removes, ...edits.values()].filter((work) => !isAwake(work));
	const dueAt = (work: Waiting) => (work.kind === "edit" && !work.urgent ? Math.max(notBefore, nextEditAt) : notBefore);

	function take(work: Waiting): void {
		if (work.kind === "send") sends.shift();
		else if (work.kind === "remove") removes.splice(removes.indexOf(work), 1);
		else edits.delete(work.key);
	}
	function putBack(work: Waiting): void {
		if (work.kind === "send") sends.unshift(work);
		else if (work.kind === "remove") removes.unshift(work);
		else if (!edits.has(work.key)) edits.set(work.key, work);
	}

	function pump(): void {
		cancelTimer?.();
		cancelTimer = undefined;
		if (busy || closed) return;
		const work = next();
		if (work === undefined) {
			const wakesAt = Math.min(...resting().map(({ restsUntil }) => restsUntil));
			if (Number.isFinite(wakesAt)) cancelTimer = clock.after(wakesAt - clock.elapsed(), pump);
			deps.onIdle();
			return;
		}
		const waitMs = dueAt(work) - clock.elapsed();
		if (waitMs > 0) {
			cancelTimer = clock.after(waitMs, pump);
			return;
		}
		busy = true;
		take(work);
		void perform(work)
			.catch(letGo)
			.finally(() => {
				busy = false;
				pump();
			});
	}

	async function perform(work: Waiting): Promise<void> {
		// What cannot be noted is not sent, and what was sent must be noted: while the disk refuses, this chat waits.
		const result = await retryWhileRefused(clock, () => work.job.run(), isOver);
		const waitMs = waitOf(result, work);
		nextEditAt = clock.elapsed() + spacing;
		if (waitMs === undefined) {
			// The chat can be reached again: what rested need not wait for its minute.
			if (result.kind === "ok") for (const each of resting()) each.restsUntil = 0;
			await retryWhileRefused(clock, () => work.job.settle(result), isOver);
			return;
		}
		if (waitMs === "rests") work.restsUntil = clock.elapsed() + REST_MS;
		else notBefore = Math.max(notBefore, clock.elapsed() + waitMs);
		putBack(work);
	}

	function giveUp(work: Waiting | undefined): void {
		if (work !== undefined) void retryWhileRefused(clock, () => work.job.settle(GIVEN_UP), isOver).catch(letGo);
	}

	/** What the disk refuses when the queue is closed is left as it is: the next process finds it so. */
	function letGo(error: unknown): void {
		if (!closed || !isStorageRefusal(error)) throw error;
	}

	return {
		send(key, job) {
			sends.push({ kind: "send", key, job, urgent: false, repeats: 0, restsUntil: 0 });
			if (sends.length > MAX_SEND_JOBS) giveUp(sends.shift());
			pump();
		},
		dropSend(key) {
			const index = sends.findIndex((work) => work.key === key);
			if (index !== -1) giveUp(sends.splice(index, 1)[0]);
		},
		remove(job) {
			removes.push({ kind: "remove", key: "", job, urgent: false, repeats: 0, restsUntil: 0 });
			if (removes.length > MAX_SEND_JOBS) giveUp(removes.shift());
			pump();
		},
		edit(key, job, urgent) {
			edits.set(key, { kind: "edit", key, job, urgent: urgent || (edits.get(key)?.urgent ?? false), repeats: 0, restsUntil: 0 });
			const [oldest] = edits;
			if (edits.size > MAX_SEND_JOBS && oldest !== undefined) {
				edits.delete(oldest[0]);
				giveUp(oldest[1]);
			}
			pump();
		},
		dropEdit: (key) => {
			edits.delete(key);
		},
		idle: () => !busy && next() === undefined,
		isEmpty: () => !busy && sends.length + removes.length + edits.size === 0,
		close() {
			closed = true;
			cancelTimer?.();
		},
	};
}

/** How long to wait before the same again; undefined when the result is final. */
function waitOf(result: CallResult<unknown>, work: Waiting): number | "rests" | undefined {
	if (result.kind === "unreachable") return UNREACHABLE_RETRY_MS;
	if (result.kind === "refused" && result.code === 429) return result.retryAfterMs ?? 1_000;
	const inDoubt = result.kind === "unknown" || (result.kind === "refused" && result.code >= 500);
	if (!inDoubt || work.kind === "send") return undefined;
	work.repeats += 1;
	return work.repeats <= MAX_REPEATS ? UNREACHABLE_RETRY_MS : "rests";
}
