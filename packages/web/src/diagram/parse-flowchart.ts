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

/** More than this is no picture any more. */
const MAX_NODES = 120;
const MAX_EDGES = 400;
const IGNORED = /^(style|classDef|class|click|linkStyle|subgraph|end|direction)\b/;

/** The common part of Mermaid's flowcharts; undefined for anything else, which is then shown as code. */
export function parseFlowchart(source: string): Flowchart | undefined {
	const lines = source.split(/\n|;/).flatMap((line) => {
		const text = line.replace(/%%.*$/, "").trim();
		return text === "" ? [] : [text];
	});
	const head = /^(?:graph|flowchart)\s+(TD|TB|BT|LR|RL)\b/.exec(lines[0] ?? "");
	if (head === null) return undefined;
	const nodes = new Map<string, FlowNode>();
	const edges: FlowEdge[] = [];
	for (const line of lines.slice(1)) {
		if (IGNORED.test(line)) continue;
		if (!readChain(line, nodes, edges) || nodes.size > MAX_NODES || edges.length > MAX_EDGES) return undefined;
	}
	return nodes.size === 0
		? undefined
		: { kind: "flowchart", direction: head[1] === "LR" || head[1] === "RL" ? "right" : "down", nodes: [...nodes.values()], edges };
}

const NODE =
	/^([\p{L}\p{N}_][\p{L}\p{N}_.]*)\s*(?:(\(\(|\(\[|\[\[|\[\(|\[|\(|\{\{|\{|>)\s*("[^"]*"|[^\])}]*?)\s*(\)\)|\]\)|\]\]|\)\]|\]|\)|\}\}|\}))?(?::::\w+)?/u;
const LINK =
	/^\s*(?:(-\.+->|-\.+-|==+>|===+|--+>|---+|--[xo])(?:\s*\|([^|]*)\|)?|--\s+([^-]+?)\s+--+>|-\.\s+([^.]+?)\s+\.+->|==\s+([^=]+?)\s+==+>)\s*/;

/** `A[Text] --> B & C -- label --> D` */
function readChain(line: string, nodes: Map<string, FlowNode>, edges: FlowEdge[]): boolean {
	let rest = line;
	let before: string[] = [];
	let link: Omit<FlowEdge, "from" | "to"> | undefined;
	for (;;) {
		const group = readGroup(rest, nodes);
		if (group === undefined) return false;
		if (link !== undefined) for (const from of before) for (const to of group.ids) edges.push({ from, to, ...link });
		rest = group.rest;
		if (rest.trim() === "") return true;
		const next = LINK.exec(rest);
		if (next === null) return false;
		const mark = next[1] ?? next[0].trim();
		link = {
			label: (next[2] ?? next[3] ?? next[4] ?? next[5] ?? "").replace(/^"|"$/g, "").trim(),
			line: mark.startsWith("-.") ? "dotted" : mark.startsWith("=") ? "thick" : "solid",
			arrow: mark.includes(">"),
		};
		before = group.ids;
		rest = rest.slice(next[0].length);
	}
}

function readGroup(text: string, nodes: Map<string, FlowNode>): { ids: string[]; rest: string } | undefined {
	const ids: string[] = [];
	let rest = text.trimStart();
	for (;;) {
		const match = NODE.exec(rest);
		const id = match?.[1];
		if (match === null || id === undefined) return undefined;
		const open = match[2];
		const words = (match[3] ?? "").replace(/^"|"$/g, "").replace(/<br\s*\/?>/gi, "\n");
		if (open !== undefined)
			nodes.set(id, { id, text: words, shape: open.startsWith("{") ? "diamond" : open.startsWith("(") ? "round" : "box" });
		else if (!nodes.has(id)) nodes.set(id, { id, text: id, shape: "box" });
		ids.push(id);
		rest = rest.slice(match[0].length);
		const more = /^\s*&\s*/.exec(rest);
		if (more === null) return { ids, rest };
		rest = rest.slice(more[0].length);
	}
}
