import type { ClientFrame } from "@rightseat/protocol/frames/client";
import { expect, test } from "vitest";
import { createTerminalLink, MAX_INPUT_CHARS, type TerminalState } from "./terminal-link.ts";

function harness() {
	const sent: ClientFrame[] = [];
	const states: TerminalState[] = [];
	const pending: (() => void)[] = [];
	let text = "";
	let type: (data: string) => void = () => undefined;
	const link = createTerminalLink({
		terminalId: "t-c1",
		conversationId: "c1",
		screen: {
			cols: 80,
			rows: 24,
			write(data, done) {
				text += data;
				if (done !== undefined) pending.push(done);
			},
			reset: () => {
				text = "";
			},
			onData(listener) {
				type = listener;
				return { dispose: () => undefined };
			},
		},
		send: (frame) => {
			sent.push(frame);
			return true;
		},
		onState: (state) => states.push(state),
	});
	const opened = (scrollback: string) =>
		link.receive({ type: "terminal:opened", data: { terminalId: "t-c1", scrollback, cols: 80, rows: 24 } });
	return {
		link,
		sent,
		states,
		opened,
		shown: () => text,
		type: (data: string) => type(data),
		drawn() {
			for (const run of pending.splice(0)) run();
		},
	};
}

test("[PG71] after a reconnect the terminal shows its scrollback once and goes on", () => {
	const { link, sent, opened, shown, states } = harness();
	link.connect();
	opened("$ ls\r\na b\r\n");
	link.receive({ type: "terminal:output", data: { terminalId: "t-c1", data: "$ " } });
	link.disconnected();
	link.connect();
	opened("$ ls\r\na b\r\n$ ");
	expect(shown()).toBe("$ ls\r\na b\r\n$ ");
	expect(sent.map(({ type }) => type)).toEqual(["terminal:open", "terminal:open"]);
	expect(states.at(-1)).toEqual({ kind: "open" });
});

test("[PG71] what programs asked the terminal long ago is not answered again while the scrollback is drawn", () => {
	const { link, sent, opened, type, drawn } = harness();
	link.connect();
	opened("\x1b[c");
	type("\x1b[?1;2c");
	expect(sent).toHaveLength(1);
	drawn();
	type("l");
	expect(sent.at(-1)).toEqual({ type: "terminal:input", data: { terminalId: "t-c1", data: "l" } });
});

test("[PG71] a large paste is sent in pieces, and nothing is typed into another or an ended terminal", () => {
	const { link, sent, opened, states } = harness();
	link.connect();
	opened("");
	link.input("x".repeat(MAX_INPUT_CHARS + 1));
	expect(sent.filter(({ type }) => type === "terminal:input")).toHaveLength(2);
	link.receive({ type: "terminal:exit", data: { terminalId: "other", exitCode: 1 } });
	expect(states.at(-1)).toEqual({ kind: "open" });
	link.receive({ type: "terminal:exit", data: { terminalId: "t-c1", exitCode: 0 } });
	link.input("y");
	expect(sent.filter(({ type }) => type === "terminal:input")).toHaveLength(2);
});
