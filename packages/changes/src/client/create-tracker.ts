import type { Answer, Ask } from "../daemon/tracker-protocol.ts";
import type { TrackerdListener, TrackerdProcess } from "./fork-trackerd.ts";
import { createPendingAsks } from "./pending-asks.ts";
import type { OpenWindow, Tracker, Unavailable } from "./tracker.ts";

/** Whoever keeps the process running; the server has one for all of its processes. */
export interface Supervisor {
	readonly state: { readonly at: string };
	needed(): void;
	started(): void;
	failed(because: string): void;
	stop(): void;
}

export interface TrackerDeps {
	/** Where everything is kept: a folder of its own. */
	home: string;
	/** Files and folders that are never recorded, absolute: the server's own. */
	excluded: readonly string[];
	start(listener: TrackerdListener): TrackerdProcess;
	supervise(start: () => void): Supervisor;
	after(ms: number, run: () => void): () => void;
	/** Whoever begins or ends work goes on after this long, whatever the disk does; 2,000 unless a test says otherwise. */
	workMs?: number;
	log(fields: { because?: string; text?: string }, message: string): void;
}

/** Whoever begins or ends work goes on after this long, whatever the disk does. */
export const WORK_MS = 2_000;
/** The process keeps that deadline itself; this much later nobody waits for it any more. */
const GRACE_MS = 500;
/** What a page waits for. */
export const ASK_LIMIT_MS = 20_000;
export const UNDO_LIMIT_MS = 120_000;
const LEFT_OPEN_LIMIT_MS = 120_000;
const START_LIMIT_MS = 30_000;
const CLOSE_LIMIT_MS = 5_000;
/** Windows that are open at once; of further ones nothing is told again when the process was replaced. */
export const MAX_WINDOWS = 2_000;

const UNAVAILABLE: Unavailable = { unavailable: true };

/** The server's end of the recorder. Nothing rejects; what the process cannot answer is unavailable. */
export function createTracker(deps: TrackerDeps): Tracker {
	const { workMs = WORK_MS } = deps;
	const workLimitMs = workMs + GRACE_MS;
	const deadline = () => Date.now() + workMs;
	const open = new Map<string, OpenWindow>();
	const asks = createPendingAsks({ after: deps.after, send: (message) => trackerd?.send(message) });
	let trackerd: TrackerdProcess | undefined;
	let onGone: () => void = () => undefined;
	let cancelStartLimit: () => void = () => undefined;
	const supervisor = deps.supervise(start);

	function start(): void {
		const started = deps.start({
			message(message) {
				if (message.kind === "ready") onReady();
				else asks.settle(message.request, message.answer);
			},
			end: onEnd,
			log: (text) => deps.log({ text }, "the recorder of changes wrote to its log"),
		});
		trackerd = started;
		cancelStartLimit = deps.after(START_LIMIT_MS, started.kill);
	}

	function onReady(): void {
		cancelStartLimit();
		supervisor.started();
		trackerd?.send({ kind: "init", home: deps.home, excluded: deps.excluded });
		// The index knows them from its process before: this only makes their roots be looked at now.
		const waiting = asks.openings();
		for (const window of [...open.values()].filter(({ windowId }) => !waiting.has(windowId)))
			void asks.add({ kind: "open", window, deadline: deadline() }, workLimitMs, { first: true });
		asks.sendAll();
	}

	function onEnd(because: string): void {
		cancelStartLimit();
		trackerd = undefined;
		asks.lose();
		if (supervisor.state.at === "stopped") {
			onGone();
			return;
		}
		deps.log({ because }, "the recorder of changes ended; starting another");
		supervisor.failed(because);
	}

	async function ask(question: Ask, limitMs: number): Promise<Answer> {
		if (supervisor.state.at === "stopped") return { kind: "failed", reason: "stopped" };
		supervisor.needed();
		return asks.add(question, limitMs, { first: false }, supervisor.state.at === "ready");
	}

	return {
		async prepare(cwd) {
			await ask({ kind: "prepare", cwd }, ASK_LIMIT_MS);
		},
		async openWindow(window) {
			if (open.size < MAX_WINDOWS) open.set(window.windowId, window);
			await ask({ kind: "open", window, deadline: deadline() }, workLimitMs);
		},
		async addPaths(windowId, paths, { isTimely = false, claim } = {}) {
			await ask({ kind: "add-paths", windowId, paths, isTimely, claim, deadline: deadline() }, workLimitMs);
		},
		async closeWindow(windowId) {
			open.delete(windowId);
			await ask({ kind: "close-window", windowId, deadline: deadline() }, workLimitMs);
		},
		async settle(changeId) {
			for (const [windowId, window] of open) if (window.changeId === changeId) open.delete(windowId);
			const answer = await ask({ kind: "settle", changeId, deadline: deadline() }, workLimitMs);
			return answer.kind === "detail" ? answer.detail : UNAVAILABLE;
		},
		...createQuestions(ask),
		async close() {
			supervisor.stop();
			asks.end();
			const last = trackerd;
			if (last === undefined) return;
			const gone = new Promise<void>((resolve) => {
				onGone = resolve;
			});
			last.send({ kind: "close" });
			const cancel = deps.after(CLOSE_LIMIT_MS, last.kill);
			await gone;
			cancel();
		},
	};
}

type Questions = Pick<Tracker, "list" | "get" | "diff" | "hunks" | "content" | "undo" | "unfinished" | "forget" | "settleLeftOpen">;

/** What pages and people ask, apart from what is recorded. */
function createQuestions(ask: (question: Ask, limitMs: number) => Promise<Answer>): Questions {
	return {
		async list(conversationId, { before, limit }) {
			const answer = await ask({ kind: "list", conversationId, before, limit }, ASK_LIMIT_MS);
			if (answer.kind !== "page") return UNAVAILABLE;
			const { changes, nextCursor } = answer;
			return nextCursor === undefined ? { changes } : { changes, nextCursor };
		},
		async get(scope) {
			const answer = await ask({ kind: "get", ...scope }, ASK_LIMIT_MS);
			return answer.kind === "detail" ? answer.detail : UNAVAILABLE;
		},
		async diff(scope, path) {
			const answer = await ask({ kind: "diff", ...scope, path }, ASK_LIMIT_MS);
			if (answer.kind !== "bytes") return UNAVAILABLE;
			return answer.bytes && { bytes: answer.bytes };
		},
		async hunks(scope, path, { ignoreWhitespace }) {
			const answer = await ask({ kind: "hunks", ...scope, path, ignoreWhitespace }, ASK_LIMIT_MS);
			return answer.kind === "hunks" ? answer.hunks : UNAVAILABLE;
		},
		async content(scope, path, side) {
			const answer = await ask({ kind: "content", ...scope, path, side }, ASK_LIMIT_MS);
			if (answer.kind !== "bytes") return UNAVAILABLE;
			return answer.bytes && { bytes: answer.bytes };
		},
		async undo(undo) {
			const answer = await ask({ kind: "undo", undo }, UNDO_LIMIT_MS);
			return answer.kind === "undone" ? answer.result : UNAVAILABLE;
		},
		async unfinished() {
			const answer = await ask({ kind: "unfinished" }, ASK_LIMIT_MS);
			return answer.kind === "unfinished" ? answer.undos : UNAVAILABLE;
		},
		async forget(conversationId) {
			await ask({ kind: "forget", conversationId }, ASK_LIMIT_MS);
		},
		async settleLeftOpen() {
			const answer = await ask({ kind: "left-open" }, LEFT_OPEN_LIMIT_MS);
			return answer.kind === "details" ? answer.details : UNAVAILABLE;
		},
	};
}
