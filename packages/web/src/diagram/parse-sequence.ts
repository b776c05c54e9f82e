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
const IGNORED = /^(activate|deactivate|autonumber|end|box)\b/;

/** Mermaid's sequence diagrams: participants, messages, notes; frames like `loop` and `alt` become labelled lines. */
export function parseSequence(source: string): Sequence | undefined {
	const lines = source.split("\n").flatMap((line) => {
		const text = line.replace(/%%.*$/, "").trim();
		return text === "" ? [] : [text];
	});
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
		const message = /^(.+?)\s*(--?>>?|--?x|--?\))\s*[+-]?\s*([^:]+?)\s*:\s*(.*)$/.exec(line);
		const note = /^Note\s+(?:over|left of|right of)\s+([^:]+):\s*(.*)$/i.exec(line);
		const frame = /^(loop|alt|else|opt|par|and|critical|option|break|rect)\b\s*(.*)$/.exec(line);
		if (named !== null) person(named[1] ?? "", named[2]);
		else if (note !== null) {
			const [first = "", last = first] = (note[1] ?? "").split(",").map((id) => id.trim());
			steps.push({ kind: "note", from: person(first), to: person(last), text: note[2] ?? "" });
		} else if (frame !== null) steps.push({ kind: "divider", text: `${frame[1]} ${frame[2]}`.trim() });
		else if (message !== null) {
			const [from, to] = [person(message[1] ?? ""), person(message[3] ?? "")];
			steps.push({ kind: "message", from, to, text: message[4] ?? "", dashed: message[2]?.startsWith("--") === true });
		} else if (!IGNORED.test(line)) return undefined;
		if (steps.length > MAX_STEPS) return undefined;
	}
	return people.length === 0 ? undefined : { kind: "sequence", people, steps };
}
