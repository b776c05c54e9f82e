import { diagramLines, MAX_DIAGRAM_CHARS } from "./scanner.ts";

export type SequenceStep =
	| { kind: "message"; from: number; to: number; text: string; dashed: boolean }
	| { kind: "note"; from: number; to: number; text: string }
	| { kind: "divider"; text: string };

export interface Sequence {
	kind: "sequence";
	people: string[];
	steps: SequenceStep[];
}

const MAX_STEPS = 200;
const MAX_PEOPLE = 60;
const IGNORED = /^(activate|deactivate|autonumber|end|box)\b/;

/** Mermaid's sequence diagrams: participants, messages, notes; frames like `loop` and `alt` become labelled lines. */
export function parseSequence(source: string): Sequence | undefined {
	if (source.length > MAX_DIAGRAM_CHARS) return undefined;
	const lines = diagramLines(source, "\n");
	if (lines[0] !== "sequenceDiagram") return undefined;
	const ids = new Map<string, number>();
	const people: string[] = [];
	const person = (id: string, name = id) => {
		const known = ids.get(id);
		if (known !== undefined) return known;
		ids.set(id, people.length);
		return people.push(name) - 1;
	};
	const steps: SequenceStep[] = [];
	for (const line of lines.slice(1)) {
		const named = /^(?:participant|actor)\s+(\S+)(?:\s+as\s+(.+))?$/.exec(line);
		const message = readMessage(line);
		const note = readNote(line);
		const frame = /^(loop|alt|else|opt|par|and|critical|option|break|rect)\b\s*(.*)$/.exec(line);
		if (named !== null) person(named[1] ?? "", named[2]);
		else if (note !== undefined) {
			const [first = "", last = first] = note.over.split(",", 2).map((id) => id.trim());
			steps.push({ kind: "note", from: person(first), to: person(last), text: note.text });
		} else if (frame !== null) steps.push({ kind: "divider", text: `${frame[1]} ${frame[2]}`.trim() });
		else if (message !== undefined) {
			const { text, dashed } = message;
			steps.push({ kind: "message", from: person(message.from), to: person(message.to), text, dashed });
		} else if (!IGNORED.test(line)) return undefined;
		if (steps.length > MAX_STEPS || people.length > MAX_PEOPLE) return undefined;
	}
	return people.length === 0 ? undefined : { kind: "sequence", people, steps };
}

/** `A->>B: text`. Cut at the first arrow and the next colon: patterns with blanks on both sides of a name try every way to share them out. */
function readMessage(line: string): { from: string; to: string; text: string; dashed: boolean } | undefined {
	const arrow = /--?(?:>>?|x|\))/.exec(line.slice(1));
	if (arrow === null) return undefined;
	const end = arrow.index + 1 + arrow[0].length;
	const colon = line.indexOf(":", end);
	if (colon < 0) return undefined;
	const to = line.slice(end, colon).trim().replace(/^[+-]/, "").trim();
	if (to === "") return undefined;
	return { from: line.slice(0, arrow.index + 1).trim(), to, text: line.slice(colon + 1).trim(), dashed: arrow[0].startsWith("--") };
}

function readNote(line: string): { over: string; text: string } | undefined {
	const head = /^Note\s+(?:over|left of|right of)\s/i.exec(line);
	const colon = line.indexOf(":");
	if (head === null || colon < head[0].length) return undefined;
	const over = line.slice(head[0].length, colon).trim();
	return over === "" ? undefined : { over, text: line.slice(colon + 1).trim() };
}
