import type { FleetCommand } from "@rightseat/protocol/fleet/command";
import { expect, test } from "vitest";
import { createFakeClock } from "../../../../../../test/support/fake-clock.ts";
import { AppError } from "../../../core/kernel/errors.ts";
import type { AuditRecord } from "../../../core/ports/audit.ts";
import type { OutFrame } from "../ws/frames.ts";
import { createHostTerminals, MAX_WAITING_CHARS, UNREAD_MS } from "./host-terminals.ts";
import { createRemoteTerminals } from "./remote-terminals.ts";
import type { Viewer } from "./terminal.ts";
import type { Terminals } from "./terminals.ts";

const HOST = "abcdefgh234567ab";

/** One terminal whose shell is the test. */
function createShell() {
	const viewers = new Set<Viewer>();
	const typed: string[] = [];
	let [scrollback, isOpen] = ["", false];
	const terminals: Terminals = {
		async open(request, viewer) {
			await request.cwd();
			isOpen = true;
			viewers.add(viewer);
			return { scrollback, cols: request.cols, rows: request.rows };
		},
		has: () => isOpen,
		isWatchedBy: (_, viewer) => viewers.has(viewer),
		view: () => (isOpen ? { scrollback, cols: 80, rows: 24 } : undefined),
		input: (_, data) => void typed.push(data),
		resize: (_, cols, rows) => void typed.push(`${cols}x${rows}`),
		end: () => exit(0),
		endOf: () => undefined,
		leave: (viewer) => void viewers.delete(viewer),
		close: async () => undefined,
	};
	function exit(code: number) {
		isOpen = false;
		for (const viewer of viewers) viewer.exit(code);
	}
	function print(text: string): void {
		scrollback += text;
		for (const viewer of viewers) viewer.output(text);
	}
	return { terminals, viewers, typed, print, exit };
}

function createBed() {
	const clock = createFakeClock();
	const shell = createShell();
	const audited: AuditRecord[] = [];
	const host = createHostTerminals({
		...{ terminals: shell.terminals, cwdFor: async () => "/", clock },
		audit: { record: (entry) => void audited.push(entry) },
	});
	let [isCut, isSlow] = [false, false];
	const ask = async (_: object, { type, data }: FleetCommand["frame"]): Promise<string[]> => {
		await Promise.resolve();
		if (isCut) throw new AppError("host-unreachable", "No answer.");
		if (type === "fleet:terminal") return host.read(HOST, String(data?.terminalId), Number(data?.from));
		return host.handle({ type, data }, { host: HOST, who: { origin: "web", from: "desk ::1" } });
	};
	const sent: OutFrame[] = [];
	const catchUps: (() => void)[] = [];
	const outbound = {
		offer(text: string, catchUp: () => void) {
			if (isSlow) catchUps.push(catchUp);
			else sent.push(JSON.parse(text));
			return !isSlow;
		},
	};
	const remote = createRemoteTerminals({ calls: { ask }, outbound, clock, source: "::1" });
	const send = (frame: OutFrame) => void sent.push(frame);
	const open = () =>
		remote.handle({ type: "terminal:open", data: { terminalId: "t", conversationId: `${HOST}_c1`, cols: 80, rows: 24 } }, send);
	const shown = () =>
		sent.map((frame) =>
			frame.type === "terminal:output" ? frame.data.data : frame.type === "terminal:opened" ? `[${frame.data.scrollback}]` : frame.type,
		);
	return {
		clock,
		shell,
		host,
		audited,
		remote,
		send,
		sent,
		open,
		shown,
		catchUps,
		cut: (next: boolean) => (isCut = next),
		slow: (next: boolean) => (isSlow = next),
	};
}

test("[FL225] a terminal of another host shows what it prints in order, takes what is typed in order, and ends", async () => {
	const { clock, shell, audited, remote, send, open, shown } = createBed();
	await open();
	await clock.settle();
	for (const word of ["a", "b", "c"]) {
		shell.print(word);
		await clock.advance(2_000);
	}
	await Promise.all(["x", "y", "z"].map((data) => remote.handle({ type: "terminal:input", data: { terminalId: "t", data } }, send)));
	await remote.handle({ type: "terminal:resize", data: { terminalId: "t", cols: 100, rows: 30 } }, send);
	await clock.settle();
	expect([shown().join(""), shell.typed.join("")]).toEqual(["[]abc", "xyz100x30"]);
	expect(audited).toEqual([{ kind: "terminal", source: "desk ::1", detail: "t" }]);
	await remote.handle({ type: "terminal:close", data: { terminalId: "t" } }, send);
	await clock.advance(2_000);
	expect(shown().at(-1)).toBe("terminal:exit");
	expect(remote.handle({ type: "terminal:input", data: { terminalId: "t", data: "x" } }, send)).toBeUndefined();
	expect(remote.handle({ type: "terminal:open", data: { terminalId: "u", cols: 1, rows: 1 } }, send)).toBeUndefined();
});

test("[FL225] what is lost on the way, too much, or missed by a slow reader is the whole screen again, and who does not ask is forgotten", async () => {
	const { clock, shell, remote, open, shown, catchUps, cut, slow } = createBed();
	await open();
	await clock.settle();
	cut(true);
	shell.print("lost ");
	await clock.advance(3_000);
	shell.print("x".repeat(MAX_WAITING_CHARS + 1));
	cut(false);
	await clock.advance(3_000);
	const whole = shown().at(-1) ?? "";
	expect([whole.slice(0, 7), whole.length]).toEqual(["[lost x", MAX_WAITING_CHARS + 8]);
	slow(true);
	shell.print("slow");
	await clock.advance(2_000);
	slow(false);
	for (const catchUp of catchUps) catchUp();
	await clock.advance(4_000);
	expect(shown().at(-1)?.endsWith("slow]")).toBe(true);
	remote.close();
	await clock.advance(UNREAD_MS + 4_000);
	expect(shell.viewers.size).toBe(0);
});

test("[FL293] terminals of a host that is out end, also those that it does not look at, and those of nobody else", async () => {
	const { clock, shell, host, remote, open, shown } = createBed();
	await open();
	await clock.settle();
	host.endOf("anotherhost23456");
	expect(shell.terminals.has("")).toBe(true);
	remote.close();
	await clock.advance(2 * UNREAD_MS);
	expect([shell.viewers.size, shell.terminals.has("")]).toEqual([0, true]);
	host.endOf(HOST);
	expect([shell.terminals.has(""), shown().join("")]).toEqual([false, "[]"]);
});
