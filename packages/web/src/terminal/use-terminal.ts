import { FitAddon } from "@xterm/addon-fit";
import { WebLinksAddon } from "@xterm/addon-web-links";
import { Terminal } from "@xterm/xterm";
import { type RefObject, useEffect, useRef, useState } from "react";
import { useActions } from "../state/use-page.tsx";
import { adoptStyles } from "./adopt-styles.ts";
import { controlCharacter } from "./key-bar-sequences.ts";
import { createTerminalLink, type TerminalLink, type TerminalState } from "./terminal-link.ts";
import { terminalTheme } from "./terminal-theme.ts";
import { createTypeWhenReady, type TypeWhenReady } from "./type-when-ready.ts";

export interface TerminalHandle {
	state: TerminalState;
	/** Types for the person; the focus stays in the terminal. */
	type(sequence: string): void;
	/** The same as soon as the shell is there. */
	typeWhenReady(text: string): void;
	applicationCursor(): boolean;
	setFontSize(size: number): void;
	restart(): void;
	end(): void;
	focus(): void;
}

/** Binds a PTY of the server to an element of the page. */
export function useTerminal(
	host: RefObject<HTMLElement | null>,
	options: { conversationId: string | undefined; fontSize: number; ctrl: RefObject<boolean>; onCtrlUsed: () => void },
): TerminalHandle {
	const actions = useActions();
	const { conversationId, ctrl } = options;
	const [state, setState] = useState<TerminalState>({ kind: "opening" });
	const current = useRef<{ terminal: Terminal; link: TerminalLink; fit: FitAddon; typing: TypeWhenReady }>(undefined);
	const first = useRef(options);
	first.current = options;

	useEffect(() => {
		const element = host.current;
		if (element === null) return;
		const terminal = new Terminal({
			fontFamily: getComputedStyle(document.documentElement).getPropertyValue("--font-mono").trim() || "monospace",
			fontSize: first.current.fontSize,
			scrollback: 5_000,
			cursorBlink: false,
			allowProposedApi: false,
			macOptionIsMeta: true,
			theme: terminalTheme(document.documentElement),
		});
		const fit = new FitAddon();
		terminal.loadAddon(fit);
		terminal.loadAddon(new WebLinksAddon((_event, address) => window.open(address, "_blank", "noopener,noreferrer")));
		const styles = adoptStyles(document, () => terminal.open(element));
		fit.fit();
		const terminalId = conversationId === undefined ? "t-home" : `t-${conversationId}`;
		const link = createTerminalLink({
			terminalId,
			conversationId,
			screen: {
				get cols() {
					return terminal.cols;
				},
				get rows() {
					return terminal.rows;
				},
				write: (data, done) => terminal.write(data, done),
				reset: () => terminal.reset(),
				onData: (listener) =>
					terminal.onData((data) => {
						const armed = ctrl.current;
						if (armed) first.current.onCtrlUsed();
						listener(armed ? controlCharacter(data) : data);
					}),
			},
			send: actions.send,
			onState: setState,
		});
		const typing = createTypeWhenReady(terminalId, link.input);
		current.current = { terminal, link, fit, typing };
		link.connect();

		const stopFrames = actions.onFrame((frame) => {
			link.receive(frame);
			typing.receive(frame);
		});
		const stopOpen = actions.onOpen(() => link.connect());
		const sizes = new ResizeObserver(() => {
			// Hidden panels have no size; fitting to it would tell programs that they have no columns.
			if (element.clientWidth === 0 || element.clientHeight === 0) return;
			fit.fit();
			link.resized();
		});
		sizes.observe(element);
		const themes = new MutationObserver(() => {
			terminal.options.theme = terminalTheme(document.documentElement);
		});
		themes.observe(document.documentElement, { attributes: true, attributeFilter: ["data-theme"] });
		terminal.focus();
		return () => {
			stopFrames();
			stopOpen();
			sizes.disconnect();
			themes.disconnect();
			link.close();
			terminal.dispose();
			styles.dispose();
			current.current = undefined;
		};
	}, [actions, conversationId, ctrl, host]);

	return {
		state,
		type(sequence) {
			current.current?.link.input(sequence);
			current.current?.terminal.focus();
		},
		typeWhenReady(text) {
			current.current?.typing.want(text);
			current.current?.terminal.focus();
		},
		applicationCursor: () => current.current?.terminal.modes.applicationCursorKeysMode ?? false,
		setFontSize(size) {
			if (current.current === undefined) return;
			current.current.terminal.options.fontSize = size;
			current.current.fit.fit();
			current.current.link.resized();
		},
		restart: () => current.current?.link.connect(),
		end: () => current.current?.link.end(),
		focus: () => current.current?.terminal.focus(),
	};
}
