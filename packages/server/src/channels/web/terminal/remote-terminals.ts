import { splitRemoteId } from "@rightseat/protocol/fleet/ids";
import type { ClientFrame, ClientFrameOf } from "@rightseat/protocol/frames/client";
import { decodeServerFrame } from "@rightseat/protocol/frames/decode-server-frame";
import { readHead } from "../../../core/fleet/answer-lines.ts";
import { type RemoteCalls, unreadable } from "../../../core/fleet/remote-calls.ts";
import type { Clock } from "../../../core/kernel/clock.ts";
import { AppError } from "../../../core/kernel/errors.ts";
import { answerTo, type SendFn } from "../ws/frames.ts";
import type { Outbound } from "../ws/outbound.ts";

/** After a failure on the way the terminal is asked for again; after so many in a row it counts as ended. */
const RETRY_MS = 1_000;
const MAX_FAILURES = 60;
/** As much as one frame takes. */
const MAX_INPUT_CHARS = 65_536;
/** A place that no terminal has: whoever asks from there gets all of it. */
const NOWHERE = Number.MAX_SAFE_INTEGER;

interface OpenOne {
	host: string;
	/** Place in its output; the next word is asked for from here. */
	next: number;
	size: { cols: number; rows: number };
	/** What was typed and not sent: one message at a time, so that nothing overtakes. */
	typed: string;
	isSending: boolean;
	/** A slow reader missed output: it gets the whole screen next. */
	isBehind: boolean;
	isClosed: boolean;
}

/** Terminals on other hosts that one connection looks at. */
export interface RemoteTerminals {
	/** Undefined: it is none of another host. */
	handle(frame: ClientFrame, send: SendFn): Promise<void> | undefined;
	/** They live on; this connection does not look any more. */
	close(): void;
}

export function createRemoteTerminals(deps: {
	calls: Pick<RemoteCalls, "ask">;
	outbound: Pick<Outbound, "offer">;
	clock: Clock;
	source: string;
}): RemoteTerminals {
	const { calls, clock, outbound } = deps;
	const who = { origin: "web" as const, from: deps.source };
	const open = new Map<string, OpenOne>();

	async function begin(host: string, frame: ClientFrameOf<"terminal:open">, conversationId: string, send: SendFn): Promise<void> {
		const { terminalId, cols, rows } = frame.data;
		const [line = "", ...rest] = await calls.ask(
			{ host, conversationId },
			{ type: "terminal:open", data: { ...frame.data, conversationId } },
			who,
		);
		const opened = decodeServerFrame(line);
		const head = readHead(rest);
		if (opened.kind !== "frame" || opened.frame.type !== "terminal:opened" || head?.type !== "fleet:terminal") throw unreadable();
		const known = open.get(terminalId);
		if (known !== undefined) known.isClosed = true;
		const one: OpenOne = {
			host,
			next: head.data.next,
			size: { cols, rows },
			typed: "",
			isSending: false,
			isBehind: false,
			isClosed: false,
		};
		open.set(terminalId, one);
		send(answerTo(frame, opened.frame));
		void follow(terminalId, one, send);
	}

	/** Asks for the next word until it has ended or nobody looks. */
	async function follow(terminalId: string, one: OpenOne, send: SendFn): Promise<void> {
		let failures = 0;
		while (!one.isClosed) {
			try {
				const head = readHead(
					await calls.ask(
						{ host: one.host },
						{ type: "fleet:terminal", data: { terminalId, from: one.isBehind ? NOWHERE : one.next } },
						who,
					),
				);
				if (one.isClosed) return;
				if (head?.type !== "fleet:terminal") throw unreadable();
				failures = 0;
				show(terminalId, one, head.data, send);
				if (head.data.exitCode !== undefined) return end(terminalId, one, head.data.exitCode, send);
			} catch (error) {
				failures += 1;
				const isOver = error instanceof AppError && error.code === "terminal-not-found";
				if (isOver || failures >= MAX_FAILURES) return end(terminalId, one, null, send);
				await new Promise<void>((resolve) => void clock.after(RETRY_MS, resolve));
			}
		}
	}

	function show(
		terminalId: string,
		one: OpenOne,
		{ output, next, isWhole }: { output: string; next: number; isWhole: boolean },
		send: SendFn,
	) {
		one.next = next;
		if (isWhole) {
			one.isBehind = false;
			return send({ type: "terminal:opened", data: { terminalId, scrollback: output, ...one.size } });
		}
		if (output === "" || one.isBehind) return;
		const text = JSON.stringify({ type: "terminal:output", data: { terminalId, data: output } });
		outbound.offer(text, () => {
			one.isBehind = true;
		});
	}

	function end(terminalId: string, one: OpenOne, exitCode: number | null, send: SendFn): void {
		one.isClosed = true;
		if (open.get(terminalId) !== one) return;
		open.delete(terminalId);
		send({ type: "terminal:exit", data: { terminalId, exitCode } });
	}

	return {
		handle(frame, send) {
			if (frame.type === "terminal:open") {
				const place = frame.data.conversationId === undefined ? undefined : splitRemoteId(frame.data.conversationId);
				return place && begin(place.host, frame, place.conversationId, send);
			}
			if (frame.type !== "terminal:input" && frame.type !== "terminal:resize" && frame.type !== "terminal:close") return undefined;
			const { terminalId } = frame.data;
			const one = open.get(terminalId);
			if (one === undefined) return undefined;
			if (frame.type === "terminal:input") {
				one.typed += frame.data.data;
				return typeInto(one, (data) => calls.ask({ host: one.host }, { type: "terminal:input", data: { terminalId, data } }, who));
			}
			if (frame.type === "terminal:resize") one.size = { cols: frame.data.cols, rows: frame.data.rows };
			return calls.ask({ host: one.host }, { type: frame.type, data: { ...frame.data } }, who).then(() => undefined);
		},
		close() {
			for (const one of open.values()) one.isClosed = true;
			open.clear();
		},
	};
}

/** One message at a time, so that nothing overtakes what was typed before it. */
async function typeInto(one: OpenOne, send: (data: string) => Promise<unknown>): Promise<void> {
	if (one.isSending) return;
	one.isSending = true;
	try {
		while (one.typed !== "") {
			const data = one.typed.slice(0, MAX_INPUT_CHARS);
			one.typed = one.typed.slice(data.length);
			await send(data);
		}
	} finally {
		one.isSending = false;
		one.typed = "";
	}
}
