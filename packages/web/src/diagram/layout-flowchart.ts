import type { Flowchart, FlowNode } from "./parse-flowchart.ts";
import { textSize } from "./text-size.ts";

export interface PlacedNode extends FlowNode {
	/** Of its centre. */
	x: number;
	y: number;
	width: number;
	height: number;
}
export interface FlowLayout {
	width: number;
	height: number;
	nodes: Map<string, PlacedNode>;
}

const GAP = 28;
const RANK_GAP = 58;
const SWEEPS = 6;

/** Nodes in ranks along the direction, ordered so that edges cross little. */
export function layoutFlowchart(chart: Flowchart): FlowLayout {
	const ranks = orderRanks(chart, rankNodes(chart));
	const right = chart.direction === "right";
	const nodes = new Map<string, PlacedNode>();
	let along = 0;
	let across = 0;
	for (const rank of ranks) {
		const sized = rank.map((node) => ({ ...node, ...sizeOf(node) }));
		const depth = Math.max(...sized.map((node) => (right ? node.width : node.height)));
		let at = 0;
		for (const node of sized) {
			const breadth = right ? node.height : node.width;
			const middle = at + breadth / 2;
			nodes.set(node.id, right ? { ...node, x: along + depth / 2, y: middle } : { ...node, x: middle, y: along + depth / 2 });
			at += breadth + GAP;
		}
		across = Math.max(across, at - GAP);
		along += depth + RANK_GAP;
	}
	for (const rank of ranks) centre(rank, nodes, right, across);
	const length = along - RANK_GAP;
	return right ? { width: length, height: across, nodes } : { width: across, height: length, nodes };
}

function sizeOf(node: FlowNode): { width: number; height: number } {
	const { width, height } = textSize(node.text);
	return node.shape === "diamond" ? { width: width * 1.5 + 30, height: height * 1.5 + 26 } : { width: width + 28, height: height + 18 };
}

/** How far each node is from a start, along the longest way; edges that lead back do not count. */
function rankNodes(chart: Flowchart): Map<string, number> {
	const next = new Map(
		chart.nodes.map(({ id }) => [id, chart.edges.filter((edge) => edge.from === id && edge.to !== id).map((edge) => edge.to)]),
	);
	const ranks = new Map<string, number>();
	const open = new Set<string>();
	const visit = (id: string, rank: number) => {
		if (open.has(id) || (ranks.get(id) ?? -1) >= rank) return;
		ranks.set(id, rank);
		open.add(id);
		for (const to of next.get(id) ?? []) visit(to, rank + 1);
		open.delete(id);
	};
	const reached = new Set(chart.edges.filter((edge) => edge.from !== edge.to).map((edge) => edge.to));
	for (const { id } of chart.nodes) if (!reached.has(id)) visit(id, 0);
	for (const { id } of chart.nodes) if (!ranks.has(id)) visit(id, 0);
	return ranks;
}

function orderRanks(chart: Flowchart, rankOf: Map<string, number>): FlowNode[][] {
	const ranks: FlowNode[][] = [];
	for (const node of chart.nodes) {
		const rank = rankOf.get(node.id) ?? 0;
		ranks[rank] = [...(ranks[rank] ?? []), node];
	}
	const filled = ranks.filter((rank) => rank !== undefined);
	for (let sweep = 0; sweep < SWEEPS; sweep++) {
		const place = new Map(filled.flatMap((rank) => rank.map((node, index): [string, number] => [node.id, index / rank.length])));
		for (const rank of filled) {
			const weight = new Map(rank.map((node) => [node.id, neighbours(chart, node.id, place) ?? place.get(node.id) ?? 0]));
			rank.sort((a, b) => (weight.get(a.id) ?? 0) - (weight.get(b.id) ?? 0));
		}
	}
	return filled;
}

function neighbours(chart: Flowchart, id: string, place: Map<string, number>): number | undefined {
	const found = chart.edges.flatMap((edge) =>
		edge.to === id ? [place.get(edge.from) ?? 0] : edge.from === id ? [place.get(edge.to) ?? 0] : [],
	);
	return found.length === 0 ? undefined : found.reduce((sum, value) => sum + value, 0) / found.length;
}

function centre(rank: FlowNode[], nodes: Map<string, PlacedNode>, right: boolean, across: number): void {
	const placed = rank.flatMap((node) => nodes.get(node.id) ?? []);
	const end = Math.max(...placed.map((node) => (right ? node.y + node.height / 2 : node.x + node.width / 2)));
	const shift = (across - end) / 2;
	for (const node of placed) nodes.set(node.id, right ? { ...node, y: node.y + shift } : { ...node, x: node.x + shift });
}
