import type { Answer, Ask, ToTrackerd } from "../daemon/tracker-protocol.ts";

/** Asks on their way, each with a deadline. Those that wait for the process are sent when it is there. */
export interface PendingAsks {
	/** Never rejects: `failed` when there is no answer in time, or the process was lost, or too much waits. `first`: before what waits. */
	add(ask: Ask, limitMs: number, order: { first: boolean }, ready?: boolean): Promise<Answer>;
	settle(request: number, answer: Answer): void;
	/** Windows whose opening waits to be sent. */
	openings(): Set<string>;
	/** The process is there. */
	sendAll(): void;
	/** It is gone. What it may not have done is asked of the next one, once; an undo is not, its journal knows more. */
	lose(): void;
	/** Nobody will answer any more. */
	end(): void;
}

/** Asks that wait for a process that starts in a fraction of a second. */
export const MAX_WAITING = 2_000;

interface Waiting {
	request: number;
	ask: Ask;
	/** How often. */
	sent: number;
	isWaiting: boolean;
	resolve(answer: Answer): void;
}

export function createPendingAsks(deps: { after(ms: number, run: () => void): () => void; send(message: ToTrackerd): void }): PendingAsks {
	const waiting = new Map<number, Waiting>();
	let requests = 0;

	function settle(request: number, answer: Answer): void {
		waiting.get(request)?.resolve(answer);
	}
	function send(one: Waiting): void {
		one.sent += 1;
		one.isWaiting = false;
		deps.send({ kind: "ask", request: one.request, ask: one.ask });
	}

	return {
		add(ask, limitMs, { first }, ready = false) {
			if (waiting.size >= MAX_WAITING) return Promise.resolve({ kind: "failed", reason: "too much waits" });
			const request = ++requests;
			return new Promise((resolve) => {
				const cancel = deps.after(limitMs, () => settle(request, { kind: "failed", reason: "no answer in time" }));
				const one: Waiting = {
					...{ request, ask, sent: 0, isWaiting: true },
					resolve(answer) {
						waiting.delete(request);
						cancel();
						resolve(answer);
					},
				};
				waiting.set(request, one);
				if (ready || first) send(one);
			});
		},
		settle,
		openings: () =>
			new Set([...waiting.values()].flatMap(({ ask, isWaiting }) => (isWaiting && ask.kind === "open" ? [ask.window.windowId] : []))),
		sendAll() {
			for (const one of waiting.values()) if (one.isWaiting) send(one);
		},
		lose() {
			for (const one of [...waiting.values()]) {
				if (one.isWaiting) continue;
				if (one.sent > 1 || one.ask.kind === "undo") one.resolve({ kind: "failed", reason: "the recorder has ended" });
				else one.isWaiting = true;
			}
		},
		end() {
			for (const one of [...waiting.values()]) one.resolve({ kind: "failed", reason: "the recorder has ended" });
		},
	};
}
