import { createScanner, diagramLines, MAX_DIAGRAM_CHARS, type Scanner, type Work } from "./scanner.ts";

export interface FlowNode {
	id: string;
	text: string;
	shape: "box" | "round" | "diamond";
}
export interface FlowEdge {
	from: string;
	to: string;
	label: string;
	line: "solid" | "dotted" | "thick";
	arrow: boolean;
}
export interface Flowchart {
	kind: "flowchart";
	direction: "down" | "right";
	nodes: FlowNode[];
	edges: FlowEdge[];
}

/** More than this would not be readable as a picture. */
const MAX_NODES = 120;
const MAX_EDGES = 400;
const IGNORED = /^(style|classDef|class|click|linkStyle|subgraph|end|direction)\b/;

/** The common part of Mermaid's flowcharts; undefined for anything else, which is then shown as code. */
export function parseFlowchart(source: string, work: Work = { steps: 0 }): Flowchart | undefined {
	if (source.length > MAX_DIAGRAM_CHARS) return undefined;
	const lines = diagramLines(source, /[\n;]/);
	const head = /^(?:graph|flowchart)\s+(TD|TB|BT|LR|RL)\b/.exec(lines[0] ?? "");
	if (head === null) return undefined;
	const chart: Parts = { nodes: new Map(), edges: [] };
	for (const line of lines.slice(1)) {
		if (!IGNORED.test(line) && !readChain(createScanner(line, work), chart)) return undefined;
	}
	const { nodes, edges } = chart;
	return nodes.size === 0
		? undefined
		: { kind: "flowchart", direction: head[1] === "LR" || head[1] === "RL" ? "right" : "down", nodes: [...nodes.values()], edges };
}

interface Parts {
	nodes: Map<string, FlowNode>;
	edges: FlowEdge[];
}
type Link = Omit<FlowEdge, "from" | "to">;

/** `A[Text] --> B & C -- label --> D` */
function readChain(line: Scanner, chart: Parts): boolean {
	let before: string[] = [];
	let link: Link | undefined;
	for (;;) {
		const ids = readGroup(line, chart);
		if (ids === undefined || (link !== undefined && !connect(before, ids, link, chart))) return false;
		line.skipBlanks();
		if (line.isDone()) return true;
		link = readLink(line);
		if (link === undefined) return false;
		before = ids;
	}
}

/** Two groups may make a million lines out of a few thousand characters: the bound counts before they are made. */
function connect(before: string[], ids: string[], link: Link, { edges }: Parts): boolean {
	if (edges.length + before.length * ids.length > MAX_EDGES) return false;
	for (const from of before) for (const to of ids) edges.push({ from, to, ...link });
	return true;
}

function readGroup(line: Scanner, { nodes }: Parts): string[] | undefined {
	const ids: string[] = [];
	for (;;) {
		line.skipBlanks();
		const node = readNode(line);
		if (node === undefined) return undefined;
		const { id, shape, text } = node;
		if (shape !== undefined) nodes.set(id, { id, text, shape });
		else if (!nodes.has(id)) nodes.set(id, { id, text: id, shape: "box" });
		ids.push(id);
		if (nodes.size > MAX_NODES || ids.length > MAX_NODES) return undefined;
		line.skipBlanks();
		if (!line.take("&")) return ids;
	}
}

const SHAPES = [
	["((", "round"],
	["([", "round"],
	["[[", "box"],
	["[(", "box"],
	["[", "box"],
	["(", "round"],
	["{{", "diamond"],
	["{", "diamond"],
	[">", "box"],
] as const;
const CLOSES = ["))", "])", "]]", ")]", "]", ")", "}}", "}"];
const isWordCharacter = (character: string) => /[\p{L}\p{N}_]/u.test(character);

function readNode(line: Scanner): { id: string; shape: FlowNode["shape"] | undefined; text: string } | undefined {
	const start = line.takeWhile(isWordCharacter);
	if (start === "") return undefined;
	const id = start + line.takeWhile((character) => character === "." || isWordCharacter(character));
	line.skipBlanks();
	const shape = SHAPES.find(([open]) => line.take(open))?.[1];
	const text = shape === undefined ? "" : readText(line);
	if (text === undefined) return undefined;
	if (line.take(":::")) line.takeWhile((character) => /\w/.test(character));
	return { id, shape, text };
}

function readText(line: Scanner): string | undefined {
	line.skipBlanks();
	let text = "";
	if (line.peek() === '"') {
		line.take('"');
		const quoted = line.takeUntil('"');
		if (quoted !== undefined) {
			line.take('"');
			text = quoted;
		}
	}
	// What follows a quotation inside the same brackets belongs to the text as well.
	const rest = line.takeUntil("])}");
	if (rest === undefined || !CLOSES.some((close) => line.take(close))) return undefined;
	return withBreaks(unquoted(text + rest));
}

function readLink(line: Scanner): Link | undefined {
	const mark = readMark(line);
	if (mark === undefined) return undefined;
	if (mark.label !== undefined) return { ...mark, label: unquoted(mark.label) };
	line.skipBlanks();
	if (!line.take("|")) return { ...mark, label: "" };
	const label = line.takeUntil("|");
	line.take("|");
	return label === undefined ? undefined : { ...mark, label: unquoted(label) };
}

/** `-->`, `---`, `-.->`, `-.-`, `==>`, `===`, `--x`, `--o`; with a label inside: `-- label -->`, `-. label .->`, `== label ==>`. */
function readMark(line: Scanner): { line: FlowEdge["line"]; arrow: boolean; label?: string } | undefined {
	if (line.take("-.")) {
		const dots = line.takeWhile((character) => character === ".");
		if (line.take("-")) return { line: "dotted", arrow: line.take(">") };
		const label = dots === "" ? line.takeUntil(".") : undefined;
		line.takeWhile((character) => character === ".");
		return label !== undefined && line.take("->") ? { line: "dotted", arrow: true, label } : undefined;
	}
	const character = line.peek();
	if (character !== "-" && character !== "=") return undefined;
	const kind = character === "=" ? "thick" : "solid";
	const length = line.takeWhile((next) => next === character).length;
	if (length >= 2 && line.take(">")) return { line: kind, arrow: true };
	if (length >= 3) return { line: kind, arrow: false };
	if (length < 2) return undefined;
	if (kind === "solid" && (line.take("x") || line.take("o"))) return { line: kind, arrow: false };
	const label = line.takeUntil(character);
	const closing = line.takeWhile((next) => next === character).length;
	return label !== undefined && closing >= 2 && line.take(">") ? { line: kind, arrow: true, label } : undefined;
}

function unquoted(text: string): string {
	return text.trim().replace(/^"|"$/g, "").trim();
}

const withBreaks = (text: string) => text.replace(/<br *\/?>/gi, "\n");
