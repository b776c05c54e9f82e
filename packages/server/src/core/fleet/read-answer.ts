import { liveEventSchema, type Position } from "@rightseat/protocol/fleet/position";
import { type AnswerHead, answerHeadSchema } from "@rightseat/protocol/fleet/requests";
import { AppError } from "../kernel/errors.ts";
import type { OwnerAnswer } from "./remote-state.ts";

/** What an owner says to a reader, line by line: `encodeRead` there, `decodeRead` here. */
export function encodeRead(answer: Exclude<OwnerAnswer, { kind: "failed" }>): string[] {
	if (answer.kind === "gone") return [headLine({ type: "fleet:gone" })];
	if (answer.kind === "snapshot") {
		const { position, isRewritten, frame } = answer;
		return [headLine({ type: "fleet:snapshot", data: { position, isRewritten } }), frame];
	}
	const { head, hasMore, events } = answer;
	return [headLine({ type: "fleet:events", data: { head, hasMore } }), ...events.map((event) => JSON.stringify(event))];
}

/** Anything that an owner would not say counts as no answer. */
export function decodeRead(lines: readonly string[]): OwnerAnswer {
	const head = readHead(lines);
	const [, ...rest] = lines;
	if (head?.type === "fleet:gone") return { kind: "gone" };
	if (head?.type === "fleet:snapshot" && rest[0] !== undefined) return { kind: "snapshot", ...head.data, frame: rest[0] };
	const events = rest.map((line) => liveEventSchema.safeParse(parseLine(line)));
	if (head?.type !== "fleet:events" || !events.every((event) => event.success)) return { kind: "failed", reason: "timeout" };
	return { kind: "events", ...head.data, events: events.map(({ data }) => data) };
}

/** An ask of a reader as an answer, whatever became of it. */
export async function answerOf(ask: Promise<string[]>): Promise<OwnerAnswer> {
	try {
		return decodeRead(await ask);
	} catch (error) {
		const isCertain = error instanceof AppError && error.code === "host-offline";
		if (error instanceof AppError && error.code === "conversation-not-found") return { kind: "gone" };
		return { kind: "failed", reason: isCertain ? "no-responders" : "timeout" };
	}
}

/** The frame with which a reader asks for what follows a position. */
export const readFrame = (from: Position | undefined) => ({ type: "fleet:read", data: from === undefined ? {} : { from } });

export const headLine = (head: AnswerHead): string => JSON.stringify(head);

export function readHead(lines: readonly string[]): AnswerHead | undefined {
	const parsed = answerHeadSchema.safeParse(parseLine(lines[0] ?? ""));
	return parsed.success ? parsed.data : undefined;
}

/** JSON that another host wrote; undefined when it is none. */
export function parseLine(line: string): unknown {
	try {
		const value: unknown = JSON.parse(line);
		return value;
	} catch {
		return undefined;
	}
}
