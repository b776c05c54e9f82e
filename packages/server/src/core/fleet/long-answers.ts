import type { Clock } from "../kernel/clock.ts";
import { AppError } from "../kernel/errors.ts";
import type { IdSource } from "../kernel/ids.ts";
import { headLine, parseLine, readHead } from "./answer-lines.ts";

/** One message carries so much of an answer, or less where the engine takes less. */
export const PART_CHARS = 100_000;
const MIN_PART_CHARS = 4_096;
/** Sealed, signed and escaped it may be eight times as long, and there is something around it. */
const ESCAPED = 9;
/** What takes longer is asked for again, so that the asker does not give up. */
export const LATER_MS = 5_000;
/** Long answers that wait to be fetched, all hosts together, and for how long. */
export const MAX_HELD_ANSWERS = 64;
export const MAX_HELD_CHARS = 33_554_432;
export const HELD_MS = 60_000;

/** Answers that do not fit one message, or are not there yet. The oldest go first when there are too many: their asker asks again. */
export interface LongAnswers {
	/** The answer, its beginning, or that it comes later. Rejects as `work` does. */
	give(from: string, work: Promise<string[]>): Promise<string[]>;
	part(from: string, id: string, part: number): Promise<string[]>;
	/** Nothing is held for this host any more. */
	forget(from: string): void;
	heldChars(): number;
}

interface Held {
	from: string;
	at: number;
	/** Until it is there: what is being done. */
	work: Promise<string[]> | undefined;
	text: string;
	/** How much of it one part is. */
	partChars: number;
}

/** `maxBytes`: the largest message that may be sent now. */
export function createLongAnswers(deps: { clock: Clock; ids: IdSource; maxBytes?: (() => number) | undefined }): LongAnswers {
	const { clock, maxBytes = () => Number.POSITIVE_INFINITY } = deps;
	const held = new Map<string, Held>();
	const chars = () => [...held.values()].reduce((sum, { text }) => sum + text.length, 0);

	function makeRoom(added: number): void {
		for (const [id, { at, work }] of held) if (work === undefined && clock.elapsed() - at > HELD_MS) held.delete(id);
		for (const id of held.keys()) {
			if (held.size < MAX_HELD_ANSWERS && chars() + added <= MAX_HELD_CHARS) return;
			held.delete(id);
		}
	}

	function fit(from: string, lines: string[], known?: string): string[] {
		const partChars = Math.min(PART_CHARS, Math.max(MIN_PART_CHARS, Math.floor(maxBytes() / ESCAPED)));
		if (lines.reduce((sum, line) => sum + line.length, 0) <= partChars) return lines;
		const text = JSON.stringify(lines);
		if (text.length > MAX_HELD_CHARS)
			throw new AppError("too-large", "The answer is too large for one message.", { params: { reason: "fleet-answer" } });
		makeRoom(text.length);
		const id = known ?? deps.ids.next();
		held.set(id, { from, at: clock.elapsed(), work: undefined, text, partChars });
		return [headLine({ type: "fleet:long", data: { id, parts: Math.ceil(text.length / partChars) } }), text.slice(0, partChars)];
	}

	/** In time, or later under this id. */
	async function inTime(from: string, id: string, work: Promise<string[]>): Promise<string[]> {
		let cancel = () => undefined;
		const late = new Promise<"late">((resolve) => {
			cancel = () => void stop();
			const stop = clock.after(LATER_MS, () => resolve("late"));
		});
		try {
			const lines = await Promise.race([work, late]);
			if (lines !== "late") {
				held.delete(id);
				return fit(from, lines, id);
			}
		} finally {
			cancel();
		}
		if (!held.has(id)) makeRoom(0);
		held.set(id, { from, at: clock.elapsed(), work, text: "", partChars: PART_CHARS });
		return [headLine({ type: "fleet:later", data: { id } })];
	}

	return {
		give(from, work) {
			// Whoever fetches it hears of a failure; if nobody does, nobody wants to know.
			work.catch(() => undefined);
			return inTime(from, deps.ids.next(), work);
		},
		async part(from, id, part) {
			const found = held.get(id);
			if (found === undefined || found.from !== from)
				throw new AppError("command-expired", "This answer is not kept any more. Ask again.", { retryable: true });
			if (found.work !== undefined) return inTime(from, id, found.work);
			return [found.text.slice(part * found.partChars, (part + 1) * found.partChars)];
		},
		forget(from) {
			for (const [id, each] of held) if (each.from === from) held.delete(id);
		},
		heldChars: chars,
	};
}

/** The whole answer of another host, part by part. */
export async function fetchWhole(
	ask: (frame: { type: string; data?: Record<string, unknown> }) => Promise<string[]>,
	first: Promise<string[]>,
) {
	let lines = await first;
	for (;;) {
		const head = readHead(lines);
		if (head?.type === "fleet:later") lines = await ask({ type: "fleet:part", data: { id: head.data.id, part: 0 } });
		else if (head?.type === "fleet:long") return fetchParts(ask, head.data, lines[1] ?? "");
		else return lines;
	}
}

async function fetchParts(
	ask: (frame: { type: string; data: Record<string, unknown> }) => Promise<string[]>,
	{ id, parts }: { id: string; parts: number },
	first: string,
): Promise<string[]> {
	const texts = [first];
	for (let part = 1; part < parts; part++) texts.push((await ask({ type: "fleet:part", data: { id, part } }))[0] ?? "");
	const whole = parseLine(texts.join(""));
	if (!Array.isArray(whole) || !whole.every((line) => typeof line === "string")) {
		throw new AppError("host-unreachable", "The answer of the host did not arrive whole. Try again.", { retryable: true });
	}
	return whole;
}
