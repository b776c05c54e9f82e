import { type FlowLayout, layoutFlowchart, type PlacedNode } from "./layout-flowchart.ts";
import type { Flowchart, FlowEdge } from "./parse-flowchart.ts";
import { SvgFrame, SvgText } from "./svg-parts.tsx";
import { textSize } from "./text-size.ts";

const BACK_ROOM = 44;

export function FlowchartView({ chart, name }: { chart: Flowchart; name: string }) {
	const layout = layoutFlowchart(chart);
	const right = chart.direction === "right";
	const returns = chart.edges.some((edge) => {
		const [from, to] = [layout.nodes.get(edge.from), layout.nodes.get(edge.to)];
		return from !== undefined && to !== undefined && back(from, to, right);
	});
	const room = returns ? BACK_ROOM : 0;
	return (
		<SvgFrame width={layout.width + (right ? 0 : room)} height={layout.height + (right ? room : 0)} name={name}>
			{chart.edges.map((edge, index) => (
				// biome-ignore lint/suspicious/noArrayIndexKey: the same two nodes may be joined twice.
				<Edge key={index} edge={edge} layout={layout} right={right} />
			))}
			{[...layout.nodes.values()].map((node) => (
				<g key={node.id}>
					<Shape node={node} />
					<SvgText x={node.x} y={node.y} text={node.text} />
				</g>
			))}
		</SvgFrame>
	);
}

function Shape({ node }: { node: PlacedNode }) {
	const { x, y, width, height } = node;
	if (node.shape === "diamond") {
		return (
			<polygon className="dg-node" points={`${x},${y - height / 2} ${x + width / 2},${y} ${x},${y + height / 2} ${x - width / 2},${y}`} />
		);
	}
	return (
		<rect
			className="dg-node"
			x={x - width / 2}
			y={y - height / 2}
			width={width}
			height={height}
			rx={node.shape === "round" ? height / 2 : 7}
		/>
	);
}

function Edge({ edge, layout, right }: { edge: FlowEdge; layout: FlowLayout; right: boolean }) {
	const from = layout.nodes.get(edge.from);
	const to = layout.nodes.get(edge.to);
	if (from === undefined || to === undefined) return null;
	const { path, midX, midY } = back(from, to, right) ? around(from, to, layout, right) : across(from, to, right);
	const size = textSize(edge.label);
	return (
		<>
			<path className={`dg-edge dg-${edge.line}`} d={path} markerEnd={edge.arrow ? "url(#dg-arrow)" : undefined} />
			{edge.label !== "" && (
				<>
					<rect
						className="dg-label"
						x={midX - size.width / 2 - 4}
						y={midY - size.height / 2}
						width={size.width + 8}
						height={size.height}
						rx={5}
					/>
					<SvgText x={midX} y={midY} text={edge.label} small />
				</>
			)}
		</>
	);
}

interface Way {
	path: string;
	midX: number;
	midY: number;
}

const back = (from: PlacedNode, to: PlacedNode, right: boolean) => (right ? to.x <= from.x : to.y <= from.y);

function across(from: PlacedNode, to: PlacedNode, right: boolean): Way {
	const [x1, y1] = right ? [from.x + from.width / 2, from.y] : [from.x, from.y + from.height / 2];
	const [x2, y2] = right ? [to.x - to.width / 2, to.y] : [to.x, to.y - to.height / 2];
	const bend = Math.max(24, (right ? x2 - x1 : y2 - y1) / 2);
	const path = right
		? `M${x1} ${y1} C${x1 + bend} ${y1} ${x2 - bend} ${y2} ${x2} ${y2}`
		: `M${x1} ${y1} C${x1} ${y1 + bend} ${x2} ${y2 - bend} ${x2} ${y2}`;
	return { path, midX: (x1 + x2) / 2, midY: (y1 + y2) / 2 };
}

/** An edge that leads back goes around the picture instead of through its nodes. */
function around(from: PlacedNode, to: PlacedNode, layout: FlowLayout, right: boolean): Way {
	const out = (right ? layout.height : layout.width) + BACK_ROOM;
	if (right) {
		const [y1, y2] = [from.y + from.height / 2, to.y + to.height / 2];
		return {
			path: `M${from.x} ${y1} C${from.x} ${out} ${to.x} ${out} ${to.x} ${y2}`,
			midX: (from.x + to.x) / 2,
			midY: (y1 + y2 + 6 * out) / 8,
		};
	}
	const [x1, x2] = [from.x + from.width / 2, to.x + to.width / 2];
	return {
		path: `M${x1} ${from.y} C${out} ${from.y} ${out} ${to.y} ${x2} ${to.y}`,
		midX: (x1 + x2 + 6 * out) / 8,
		midY: (from.y + to.y) / 2,
	};
}
