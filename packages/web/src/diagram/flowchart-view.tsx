import { type FlowLayout, layoutFlowchart, type PlacedNode } from "./layout-flowchart.ts";
import type { Flowchart, FlowEdge } from "./parse-flowchart.ts";
import { SvgFrame, SvgText } from "./svg-parts.tsx";
import { textSize } from "./text-size.ts";

export function FlowchartView({ chart, name }: { chart: Flowchart; name: string }) {
	const layout = layoutFlowchart(chart);
	return (
		<SvgFrame width={layout.width} height={layout.height} name={name}>
			{chart.edges.map((edge, index) => (
				// biome-ignore lint/suspicious/noArrayIndexKey: the same two nodes may be joined twice.
				<Edge key={index} edge={edge} layout={layout} right={chart.direction === "right"} />
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
	const back = right ? to.x <= from.x : to.y <= from.y;
	const [x1, y1] = right ? [from.x + from.width / 2, from.y] : [from.x, from.y + from.height / 2];
	const [x2, y2] = back
		? right
			? [to.x, to.y - to.height / 2]
			: [to.x + to.width / 2, to.y]
		: right
			? [to.x - to.width / 2, to.y]
			: [to.x, to.y - to.height / 2];
	const bend = back ? 60 : Math.max(24, Math.abs(right ? x2 - x1 : y2 - y1) / 2);
	const path = right
		? `M${x1} ${y1} C${x1 + bend} ${y1} ${x2 - (back ? 0 : bend)} ${y2 - (back ? bend : 0)} ${x2} ${y2}`
		: `M${x1} ${y1} C${x1} ${y1 + bend} ${x2 + (back ? bend : 0)} ${y2 - (back ? 0 : bend)} ${x2} ${y2}`;
	const size = textSize(edge.label);
	const [midX, midY] = [(x1 + x2) / 2, (y1 + y2) / 2];
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
