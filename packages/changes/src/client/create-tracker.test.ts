import { expect, test } from "vitest";
import { isFromTrackerd, isToTrackerd, type ToTrackerd } from "../daemon/tracker-protocol.ts";
import { ASK_LIMIT_MS, createTracker, MAX_WINDOWS, UNDO_LIMIT_MS, WORK_MS } from "./create-tracker.ts";
import type { TrackerdListener } from "./fork-trackerd.ts";
import { MAX_WAITING } from "./pending-asks.ts";
import type { OpenWindow } from "./tracker.ts";

/** Processes that answer when told, timers that run when told. */
function createBed() {
	const processes: { listener: TrackerdListener; sent: ToTrackerd[]; killed: boolean }[] = [];
	const timers: { ms: number; run(): void }[] = [];
	let at = "off";
	const tracker = createTracker({
		...{ home: "/home", excluded: ["/own"], log: () => undefined },
		start(listener) {
			const started = { listener, sent: [] as ToTrackerd[], killed: false };
			processes.push(started);
			return {
				send: (message) => void started.sent.push(message),
				kill() {
					started.killed = true;
					listener.end("killed");
				},
			};
		},
		supervise: (start) => ({
			get state() {
				return { at };
			},
			needed() {
				if (at !== "off") return;
				at = "starting";
				start();
			},
			started() {
				at = "ready";
			},
			failed() {
				at = "starting";
				start();
			},
			stop() {
				at = "stopped";
			},
		}),
		after(ms, run) {
			const timer = { ms, run };
			timers.push(timer);
			return () => void timers.splice(timers.indexOf(timer), timers.includes(timer) ? 1 : 0);
		},
	});
	const last = () => processes.at(-1);
	const asked = () => (last()?.sent ?? []).flatMap((message) => (message.kind === "ask" ? [message.ask.kind] : []));
	return { tracker, processes, timers, last, asked, ready: () => last()?.listener.message({ kind: "ready" }) };
}

const window = (windowId: string): OpenWindow => ({
	...{ windowId, changeId: "c", conversationId: "one", kind: "turn", cwd: "/r", actor: "agent", label: "" },
});

test("[CH50] what is asked before the process is there is sent when it is, in order", async () => {
	const { tracker, last, asked, ready, timers } = createBed();
	void tracker.prepare("/r");
	const opened = tracker.openWindow(window("w"));
	const settled = tracker.settle("c");
	expect(asked()).toEqual([]);
	ready();
	expect(last()?.sent[0]).toEqual({ kind: "init", home: "/home", excluded: ["/own"] });
	expect(asked()).toEqual(["prepare", "open", "settle"]);
	last()?.listener.message({ kind: "reply", request: 2, answer: { kind: "done" } });
	last()?.listener.message({ kind: "reply", request: 3, answer: { kind: "detail" } });
	expect([await opened, await settled]).toEqual([undefined, undefined]);
	expect(timers.map(({ ms }) => ms)).toEqual([ASK_LIMIT_MS]);
});

test("[CH50] a process that never answers delays work by its bound and fails nobody", async () => {
	const { tracker, timers } = createBed();
	const calls = [
		tracker.openWindow(window("w")),
		tracker.closeWindow("w"),
		tracker.settle("c"),
		tracker.get({ conversationId: "one", changeId: "c" }),
	];
	const undo = tracker.undo({ conversationId: "one", changeIds: ["c"], kind: "undo", newChangeId: "u" });
	expect([...new Set(timers.map(({ ms }) => ms))].slice(1)).toEqual([WORK_MS + 500, ASK_LIMIT_MS, UNDO_LIMIT_MS]);
	for (const timer of timers.slice(1)) timer.run();
	const unavailable = { unavailable: true };
	expect(await Promise.all([...calls, undo])).toEqual([undefined, undefined, unavailable, unavailable, unavailable]);
});

test("[CH51] when the process dies its successor hears of the open windows first, then once more what was asked; an undo is not asked again", async () => {
	const { tracker, processes, last, asked, ready } = createBed();
	void tracker.openWindow(window("w1"));
	ready();
	last()?.listener.message({ kind: "reply", request: 1, answer: { kind: "done" } });
	void tracker.openWindow(window("w2"));
	void tracker.closeWindow("w2");
	const list = tracker.list("one", { limit: 1 });
	const undo = tracker.undo({ conversationId: "one", changeIds: ["c"], kind: "undo", newChangeId: "u" });
	last()?.listener.end("killed");
	expect(await undo).toEqual({ unavailable: true });
	ready();
	expect(processes).toHaveLength(2);
	expect(asked()).toEqual(["open", "open", "close-window", "list"]);
	last()?.listener.end("killed");
	expect(await list).toEqual({ unavailable: true });
});

test("[CH50] what waits, and the windows that are remembered, are bounded", async () => {
	const { tracker, asked, ready, timers } = createBed();
	for (let count = 0; count < MAX_WAITING + 10; count += 1) void tracker.openWindow(window(`w${count}`));
	expect(timers).toHaveLength(MAX_WAITING + 1);
	expect(await tracker.list("one", { limit: 1 })).toEqual({ unavailable: true });
	for (const timer of timers.slice(1)) timer.run();
	ready();
	expect(asked()).toHaveLength(MAX_WINDOWS);
});

test("[CH50] closing ends the process and whatever waits", async () => {
	const { tracker, last, ready } = createBed();
	const waiting = tracker.list("one", { limit: 1 });
	ready();
	const closed = tracker.close();
	expect(await waiting).toEqual({ unavailable: true });
	expect(last()?.sent.at(-1)).toEqual({ kind: "close" });
	last()?.listener.end("SIGKILL");
	await closed;
	expect(await tracker.list("one", { limit: 1 })).toEqual({ unavailable: true });
});

test("[CH54] a message with a field that is missing or of another kind is none of ours", () => {
	const ask = { kind: "ask", request: 1, ask: { kind: "open", window: window("w"), deadline: 1 } };
	expect(isToTrackerd(ask)).toBe(true);
	expect(isToTrackerd({ ...ask, ask: { ...ask.ask, window: { ...window("w"), actor: "somebody" } } })).toBe(false);
	expect(isToTrackerd({ ...ask, request: "1" })).toBe(false);
	const reply = { kind: "reply", request: 1, answer: { kind: "bytes", bytes: new Uint8Array(2) } };
	expect(isFromTrackerd(reply)).toBe(true);
	expect(isFromTrackerd({ ...reply, answer: { kind: "bytes", bytes: "text" } })).toBe(false);
	expect(isFromTrackerd({ ...reply, answer: { kind: "unheard of" } })).toBe(false);
});
