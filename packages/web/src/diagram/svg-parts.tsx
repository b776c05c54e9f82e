import type { ReactNode } from "react";

const MARGIN = 14;

export function SvgFrame({ width, height, name, children }: { width: number; height: number; name: string; children: ReactNode }) {
	return (
		<svg
			className="dg"
			role="img"
			aria-label={name}
			width={width + MARGIN * 2}
			height={height + MARGIN * 2}
			viewBox={`${-MARGIN} ${-MARGIN} ${width + MARGIN * 2} ${height + MARGIN * 2}`}
		>
			<defs>
				<marker id="dg-arrow" viewBox="0 0 10 10" refX="9" refY="5" markerWidth="8" markerHeight="8" orient="auto-start-reverse">
					<path d="M0 0 L10 5 L0 10 z" className="dg-head" />
				</marker>
			</defs>
			{children}
		</svg>
	);
}

/** Lines of text around a middle. */
export function SvgText({ x, y, text, small = false }: { x: number; y: number; text: string; small?: boolean }) {
	const lines = text.split("\n");
	return (
		<text className={small ? "dg-text dg-small" : "dg-text"} textAnchor="middle" dominantBaseline="central">
			{lines.map((line, index) => (
				// biome-ignore lint/suspicious/noArrayIndexKey: a line is its number.
				<tspan key={index} x={x} y={y + (index - (lines.length - 1) / 2) * 19}>
					{line}
				</tspan>
			))}
		</text>
	);
}
