import { isStorageRefusal, retryWhileRefused } from "../../../core/active/storage-retry.ts";
import type { Cancel, Clock } from "../../../core/kernel/clock.ts";
import type { CallResult } from "../api/bot-client.ts";

/** Telegram lets a chat change about once a second, a group about twenty times a minute. */
const EDIT_EVERY_MS = { private: 1_000, group: 3_000 } as const;
const UNREACHABLE_RETRY_MS = 2_000;
/** A delete or an edit whose response was lost may be repeated, but not for ever. */
const MAX_REPEATS = 5;
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
	idle(): boolean;
	close(): void;
}

type Kind = "send" | "remove" | "edit";
interface Waiting {
	kind: Kind;
	key: string;
	job: SendJob;
	urgent: boolean;
	repeats: number;
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

	const next = (): Waiting | undefined =>
		sends[0] ?? removes[0] ?? [...edits.values()].find((edit) => edit.urgent) ?? [...edits.values()][0];
	const dueAt = (work: Waiting) => (work.kind === "edit" && !work.urgent ? Math.max(notBefore, nextEditAt) : notBefore);

	function take(work: Waiting): void {
		if (work.kind === "send") sends.shift();
		else if (work.kind === "remove") removes.shift();
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
		const isOver = () => closed;
		// What cannot be noted is not sent, and what was sent must be noted: while the disk refuses, this chat waits.
		const result = await retryWhileRefused(clock, () => work.job.run(), isOver);
		const waitMs = waitOf(result, work);
		nextEditAt = clock.elapsed() + spacing;
		if (waitMs === undefined) {
			await retryWhileRefused(clock, () => work.job.settle(result), isOver);
			return;
		}
		notBefore = Math.max(notBefore, clock.elapsed() + waitMs);
		putBack(work);
	}

	function giveUp(work: Waiting | undefined): void {
		if (work === undefined) return;
		void retryWhileRefused(
			clock,
			() => work.job.settle(GIVEN_UP),
			() => closed,
		).catch(letGo);
	}

	/** What the disk refuses when the queue is closed is left as it is: the next process finds it so. */
	function letGo(error: unknown): void {
		if (!closed || !isStorageRefusal(error)) throw error;
	}

	return {
		send(key, job) {
			sends.push({ kind: "send", key, job, urgent: false, repeats: 0 });
			if (sends.length > MAX_SEND_JOBS) giveUp(sends.shift());
			pump();
		},
		dropSend(key) {
			const index = sends.findIndex((work) => work.key === key);
			if (index !== -1) giveUp(sends.splice(index, 1)[0]);
		},
		remove(job) {
			removes.push({ kind: "remove", key: "", job, urgent: false, repeats: 0 });
			if (removes.length > MAX_SEND_JOBS) giveUp(removes.shift());
			pump();
		},
		edit(key, job, urgent) {
			edits.set(key, { kind: "edit", key, job, urgent: urgent || (edits.get(key)?.urgent ?? false), repeats: 0 });
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
		idle: () => !busy && sends.length + removes.length + edits.size === 0,
		close() {
			closed = true;
			cancelTimer?.();
		},
	};
}

/** How long to wait before the same again; undefined when the result is final. */
function waitOf(result: CallResult<unknown>, work: Waiting): number | undefined {
	if (result.kind === "unreachable") return UNREACHABLE_RETRY_MS;
	if (result.kind === "refused" && result.code === 429) return result.retryAfterMs ?? 1_000;
	const inDoubt = result.kind === "unknown" || (result.kind === "refused" && result.code >= 500);
	if (inDoubt && work.kind !== "send" && work.repeats++ < MAX_REPEATS) return UNREACHABLE_RETRY_MS;
	return undefined;
}
