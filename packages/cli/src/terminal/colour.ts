/** How a piece of text looks. */
export type Style = "bold" | "dim" | "italic" | "underline" | "red" | "green" | "yellow" | "blue" | "magenta" | "cyan" | "grey" | "invert";

const CODES: Readonly<Record<Style, readonly [number, number]>> = {
	bold: [1, 22],
	dim: [2, 22],
	italic: [3, 23],
	underline: [4, 24],
	invert: [7, 27],
	red: [31, 39],
	green: [32, 39],
	yellow: [33, 39],
	blue: [34, 39],
	magenta: [35, 39],
	cyan: [36, 39],
	grey: [90, 39],
};

/** Gives a text its looks, or leaves it as it is. */
export type Paint = (text: string, ...styles: readonly Style[]) => string;

/** Colour only on a terminal; NO_COLOR turns it off everywhere, FORCE_COLOR on. */
export function paintFor(stream: { isTTY?: boolean }, env: Readonly<Record<string, string | undefined>>): Paint {
	return wantsColour(stream, env) ? paint : (text) => text;
}

function wantsColour({ isTTY }: { isTTY?: boolean }, env: Readonly<Record<string, string | undefined>>): boolean {
	if ((env.NO_COLOR ?? "") !== "") return false;
	const forced = env.FORCE_COLOR;
	if (forced !== undefined) return forced !== "0" && forced !== "false";
	return isTTY === true && env.TERM !== "dumb";
}

const paint: Paint = (text, ...styles) =>
	text === "" ? "" : styles.reduce((inner, style) => `\u001b[${CODES[style][0]}m${inner}\u001b[${CODES[style][1]}m`, text);
