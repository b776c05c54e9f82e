import { emitKeypressEvents, type Key } from "node:readline";
import { MAX_PROMPT_CHARS } from "@rightseat/protocol/limits";
import { widthOf } from "./width.ts";

/** Lines that come back with the arrow keys. */
const MAX_HISTORY = 100;

/** The line that a person types. */
export interface LineEditor {
	/** The row as it is drawn within `columns`, and where the cursor stands in it. */
	view(columns: number): { row: string; column: number };
	readonly isEmpty: boolean;
	clear(): void;
	/** The line that was given is typed again. */
	keep(line: string): void;
	close(): void;
}

export interface EditorEvents {
	onLine(text: string): void;
	onChange(): void;
	/** Ctrl-C. */
	onInterrupt(): void;
	/** Ctrl-D in an empty line. */
	onEnd(): void;
}

const PROMPT = "› ";

export function createLineEditor(stdin: NodeJS.ReadStream, events: EditorEvents): LineEditor {
	let text: string[] = [];
	let cursor = 0;
	let isPasting = false;
	const history: string[] = [];
	let recalled = 0;

	function set(line: string): void {
		text = [...line];
		cursor = text.length;
	}
	function insert(typed: string): void {
		const characters = [...typed.replace(/\r\n?/g, "\n")].filter((one) => one === "\n" || one === "\t" || !/\p{Cc}/u.test(one));
		if (text.length + characters.length > MAX_PROMPT_CHARS) return;
		text.splice(cursor, 0, ...characters);
		cursor += characters.length;
	}
	function submit(): void {
		const line = text.join("");
		set("");
		if (line.trim() !== "" && history.at(-1) !== line) history.push(line);
		if (history.length > MAX_HISTORY) history.shift();
		recalled = history.length;
		events.onLine(line);
	}
	function recall(step: number): void {
		const next = recalled + step;
		if (next < 0 || next > history.length) return;
		recalled = next;
		set(history[next] ?? "");
	}
	function wordStart(): number {
		let at = cursor;
		while (at > 0 && /\s/.test(text[at - 1] ?? "")) at--;
		while (at > 0 && !/\s/.test(text[at - 1] ?? "")) at--;
		return at;
	}
	function remove(from: number, to: number): void {
		text.splice(from, to - from);
		cursor = from;
	}

	const CONTROL: Readonly<Record<string, () => void>> = {
		a: () => move(0),
		e: () => move(text.length),
		b: () => move(cursor - 1),
		f: () => move(cursor + 1),
		u: () => remove(0, cursor),
		k: () => text.splice(cursor),
		w: () => remove(wordStart(), cursor),
		h: () => (cursor > 0 ? remove(cursor - 1, cursor) : undefined),
		d: () => (text.length === 0 ? events.onEnd() : text.splice(cursor, 1)),
		c: events.onInterrupt,
		j: submit,
		p: () => recall(-1),
		n: () => recall(1),
	};
	const NAMED: Readonly<Record<string, () => void>> = {
		return: () => (isPasting ? insert("\n") : submit()),
		enter: () => (isPasting ? insert("\n") : submit()),
		backspace: () => (cursor > 0 ? remove(cursor - 1, cursor) : undefined),
		delete: () => text.splice(cursor, 1),
		left: () => move(cursor - 1),
		right: () => move(cursor + 1),
		home: () => move(0),
		end: () => move(text.length),
		up: () => recall(-1),
		down: () => recall(1),
		"paste-start": () => {
			isPasting = true;
		},
		"paste-end": () => {
			isPasting = false;
		},
	};
	function move(to: number): void {
		cursor = Math.max(0, Math.min(text.length, to));
	}
	function press(typed: string | undefined, key: Key): void {
		const name = key.name ?? "";
		if (isPasting && name !== "paste-end") insert(typed ?? "");
		else if (key.meta && name === "return") insert("\n");
		else if (key.ctrl) CONTROL[name]?.();
		else if (NAMED[name] !== undefined) NAMED[name]?.();
		else if (typed !== undefined && !key.meta) insert(typed);
		events.onChange();
	}

	emitKeypressEvents(stdin);
	stdin.setRawMode(true);
	stdin.on("keypress", press);
	stdin.resume();
	return {
		get isEmpty() {
			return text.length === 0;
		},
		clear: () => set(""),
		keep: set,
		view(columns) {
			const room = Math.max(4, columns - widthOf(PROMPT) - 1);
			let [from, before] = [cursor, 0];
			for (; from > 0; from--) {
				const more = widthOf(drawn(text[from - 1]));
				if (before + more > room) break;
				before += more;
			}
			let [to, width] = [cursor, before];
			for (; to < text.length; to++) {
				width += widthOf(drawn(text[to]));
				if (width > room) break;
			}
			return { row: PROMPT + text.slice(from, to).map(drawn).join(""), column: widthOf(PROMPT) + before };
		},
		close() {
			stdin.off("keypress", press);
			stdin.setRawMode(false);
			stdin.pause();
		},
	};
}

/** A line break and a tab as one character each. */
const drawn = (character: string | undefined) => (character === "\n" ? "⏎" : character === "\t" ? " " : (character ?? ""));
