import type { Series } from "./benchmark.ts";
import { figure } from "./table.ts";

const WIDTH = 720;
const HEIGHT = 380;
const LEFT = 70;
const RIGHT = 170;
const TOP = 44;
const BOTTOM = 48;
const COLOURS = ["#0a7ea4", "#c2410c", "#4d7c0f", "#7e22ce", "#be123c", "#0f766e"];

/** A line plot as SVG. Both axes are logarithmic, so that a cost in proportion is a straight line at 45°. */
export function plot({ title, x, y, lines }: Series): string {
	const points = lines.flatMap((line) => line.points).filter(([a, b]) => a > 0 && b > 0);
	if (points.length === 0) throw new Error(`Nothing to plot for ${title}.`);
	const across = scale(
		points.map(([value]) => value),
		LEFT,
		WIDTH - RIGHT,
	);
	const up = scale(
		points.map(([, value]) => value),
		HEIGHT - BOTTOM,
		TOP,
	);
	const parts = [
		`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${HEIGHT}" font-family="sans-serif" font-size="12" role="img">`,
		`<title>${escaped(title)}</title><rect width="100%" height="100%" fill="#fff"/>`,
		`<text x="${LEFT}" y="24" font-size="15" fill="#111">${escaped(title)}</text>`,
		...across.ticks.map(
			(tick) =>
				`<path d="M${across.at(tick)} ${TOP}V${HEIGHT - BOTTOM}" stroke="#ddd"/><text x="${across.at(tick)}" y="${HEIGHT - BOTTOM + 18}" text-anchor="middle" fill="#444">${figure(tick)}</text>`,
		),
		...up.ticks.map(
			(tick) =>
				`<path d="M${LEFT} ${up.at(tick)}H${WIDTH - RIGHT}" stroke="#ddd"/><text x="${LEFT - 8}" y="${up.at(tick) + 4}" text-anchor="end" fill="#444">${figure(tick)}</text>`,
		),
		`<text x="${(LEFT + WIDTH - RIGHT) / 2}" y="${HEIGHT - 10}" text-anchor="middle" fill="#111">${escaped(x)}</text>`,
		`<text x="16" y="${(TOP + HEIGHT - BOTTOM) / 2}" text-anchor="middle" fill="#111" transform="rotate(-90 16 ${(TOP + HEIGHT - BOTTOM) / 2})">${escaped(y)}</text>`,
		...lines.flatMap((line, index) => drawLine(line, index, across.at, up.at)),
		"</svg>",
	];
	return `${parts.join("\n")}\n`;
}

type At = (value: number) => number;

function drawLine({ label, points }: Series["lines"][number], index: number, across: At, up: At): string[] {
	const colour = COLOURS[index % COLOURS.length];
	const places = points.filter(([a, b]) => a > 0 && b > 0).map(([a, b]) => `${across(a)},${up(b)}`);
	const row = TOP + 12 + index * 20;
	return [
		`<polyline points="${places.join(" ")}" fill="none" stroke="${colour}" stroke-width="2"/>`,
		...places.map((place) => `<circle cx="${place.split(",")[0]}" cy="${place.split(",")[1]}" r="3" fill="${colour}"/>`),
		`<path d="M${WIDTH - RIGHT + 12} ${row - 4}h16" stroke="${colour}" stroke-width="2"/><text x="${WIDTH - RIGHT + 34}" y="${row}" fill="#111">${escaped(label)}</text>`,
	];
}

/** Whole decades around the values. */
function scale(values: readonly number[], from: number, to: number): { at: At; ticks: number[] } {
	const low = Math.floor(Math.log10(Math.min(...values)));
	const high = Math.max(low + 1, Math.ceil(Math.log10(Math.max(...values))));
	const at = (value: number) => Math.round((from + ((Math.log10(value) - low) / (high - low)) * (to - from)) * 10) / 10;
	return { at, ticks: Array.from({ length: high - low + 1 }, (_, index) => 10 ** (low + index)) };
}

const escaped = (text: string) => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;");
