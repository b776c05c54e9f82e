import type { Sequence, SequenceStep } from "./parse-sequence.ts";
import { SvgFrame, SvgText } from "./svg-parts.tsx";
import { textSize } from "./text-size.ts";

const HEAD_PX = 36;
const STEP_PX = 46;

export function SequenceView({ sequence, name }: { sequence: Sequence; name: string }) {
	const { people, steps } = sequence;
	const columns = columnsOf(sequence);
	const width = (columns.at(-1) ?? 0) + textSize(people.at(-1) ?? "").width / 2 + 14 + selfRoom(sequence);
	const height = HEAD_PX + 20 + steps.length * STEP_PX;
	return (
		<SvgFrame width={width} height={height} name={name}>
			{people.map((person, index) => {
				const x = columns[index] ?? 0;
				const half = textSize(person).width / 2 + 14;
				return (
					// biome-ignore lint/suspicious/noArrayIndexKey: a participant is its column.
					<g key={index}>
						<line className="dg-edge dg-dotted" x1={x} x2={x} y1={HEAD_PX} y2={height} />
						<rect className="dg-node" x={x - half} y={0} width={half * 2} height={HEAD_PX} rx={7} />
						<SvgText x={x} y={HEAD_PX / 2} text={person} />
					</g>
				);
			})}
			{steps.map((step, index) => (
				// biome-ignore lint/suspicious/noArrayIndexKey: a step is its place.
				<Step key={index} step={step} y={HEAD_PX + 34 + index * STEP_PX} columns={columns} width={width} />
			))}
		</SvgFrame>
	);
}

function Step({ step, y, columns, width }: { step: SequenceStep; y: number; columns: number[]; width: number }) {
	if (step.kind === "divider") {
		return (
			<>
				<line className="dg-edge dg-thin" x1={0} x2={width} y1={y} y2={y} />
				<rect className="dg-label" x={0} y={y - 10} width={textSize(step.text).width + 12} height={20} rx={5} />
				<SvgText x={textSize(step.text).width / 2 + 6} y={y} text={step.text} small />
			</>
		);
	}
	const from = columns[step.from] ?? 0;
	const to = columns[step.to] ?? 0;
	if (step.kind === "note") {
		const size = textSize(step.text);
		const half = Math.max(Math.abs(to - from) / 2 + 20, size.width / 2 + 10);
		return (
			<>
				<rect className="dg-note" x={(from + to) / 2 - half} y={y - 16} width={half * 2} height={30} rx={5} />
				<SvgText x={(from + to) / 2} y={y - 1} text={step.text} small />
			</>
		);
	}
	const line = `dg-edge ${step.dashed ? "dg-dotted" : "dg-solid"}`;
	if (step.from === step.to) {
		return (
			<>
				<path className={line} d={`M${from} ${y - 8} h34 v18 h-30`} markerEnd="url(#dg-arrow)" fill="none" />
				<SvgText x={from + 44 + textSize(step.text).width / 2} y={y + 1} text={step.text} small />
			</>
		);
	}
	return (
		<>
			<line className={line} x1={from} x2={to} y1={y} y2={y} markerEnd="url(#dg-arrow)" />
			<SvgText x={(from + to) / 2} y={y - 12} text={step.text} small />
		</>
	);
}

/** Neighbours stand as far apart as their names and what they say need. */
function columnsOf({ people, steps }: Sequence): number[] {
	const columns: number[] = [];
	people.forEach((person, index) => {
		const half = textSize(person).width / 2 + 14;
		const before = columns[index - 1];
		if (before === undefined) {
			columns.push(half);
			return;
		}
		const said = steps.map((step) =>
			step.kind === "message" && Math.min(step.from, step.to) === index - 1 && Math.max(step.from, step.to) === index
				? textSize(step.text).width + 40
				: 0,
		);
		columns.push(before + Math.max(textSize(people[index - 1] ?? "").width / 2 + half + 34, 110, ...said));
	});
	return columns;
}

function selfRoom({ people, steps }: Sequence): number {
	const last = people.length - 1;
	return Math.max(
		0,
		...steps.map((step) => (step.kind === "message" && step.from === last && step.to === last ? textSize(step.text).width + 50 : 0)),
	);
}
