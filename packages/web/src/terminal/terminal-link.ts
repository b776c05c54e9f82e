import type { ClientFrame } from "@rightseat/protocol/frames/client";
import type { ServerFrame } from "@rightseat/protocol/frames/server";

/** The part of xterm that the link needs. */
export interface Screen {
	readonly cols: number;
	readonly rows: number;
	write(data: string, done?: () => void): void;
	reset(): void;
	onData(listener: (data: string) => void): { dispose(): void };
}

export type TerminalState = { kind: "opening" } | { kind: "open" } | { kind: "offline" } | { kind: "exited"; exitCode: number | null };

export interface TerminalLink {
	/** After a connection opens: asks for the terminal again, with everything it has shown. */
	connect(): void;
	disconnected(): void;
	receive(frame: ServerFrame): void;
	input(data: string): void;
	resized(): void;
	/** Ends the shell itself. */
	end(): void;
	close(): void;
}

/** A frame carries at most this much input, so that a large paste fits the limit of the wire. */
export const MAX_INPUT_CHARS = 16_000;

/** One PTY on the server and one screen here; the PTY lives on when the page goes, and its scrollback comes back with it. */
export function createTerminalLink(options: {
	terminalId: string;
	conversationId: string | undefined;
	screen: Screen;
	send: (frame: ClientFrame) => boolean;
	onState: (state: TerminalState) => void;
}): TerminalLink {
	const { terminalId, conversationId, screen, send } = options;
	let replays = 0;
	let state: TerminalState = { kind: "opening" };
	const set = (next: TerminalState) => {
		state = next;
		options.onState(next);
	};
	const resize = () => send({ type: "terminal:resize", data: { terminalId, cols: screen.cols, rows: screen.rows } });

	const input = (data: string) => {
		if (state.kind !== "open") return;
		for (let at = 0; at < data.length; at += MAX_INPUT_CHARS) {
			send({ type: "terminal:input", data: { terminalId, data: data.slice(at, at + MAX_INPUT_CHARS) } });
		}
	};
	// Old output may hold questions of programs to their terminal; answering them again would type into the shell.
	const typed = screen.onData((data) => {
		if (replays === 0) input(data);
	});

	return {
		connect() {
			const where = conversationId === undefined ? {} : { conversationId };
			const asked = send({ type: "terminal:open", data: { terminalId, ...where, cols: screen.cols, rows: screen.rows } });
			set(asked ? { kind: "opening" } : { kind: "offline" });
		},
		disconnected: () => set({ kind: "offline" }),
		receive(frame) {
			if (!("data" in frame) || !("terminalId" in frame.data) || frame.data.terminalId !== terminalId) return;
			if (frame.type === "terminal:opened") {
				screen.reset();
				replays += 1;
				screen.write(frame.data.scrollback, () => {
					replays -= 1;
				});
				set({ kind: "open" });
				if (frame.data.cols !== screen.cols || frame.data.rows !== screen.rows) resize();
			} else if (frame.type === "terminal:output") screen.write(frame.data.data);
			else if (frame.type === "terminal:exit") set({ kind: "exited", exitCode: frame.data.exitCode });
		},
		input,
		resized: () => void (state.kind === "open" && resize()),
		end: () => void send({ type: "terminal:close", data: { terminalId } }),
		close: () => typed.dispose(),
	};
}
