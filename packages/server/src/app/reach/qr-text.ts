import { encode } from "uqr";

/** Black on white, whatever the terminal's own colours are: a code in the wrong colours is not read by every phone. */
const COLOURS = { on: "\u001b[38;5;16;48;5;231m", off: "\u001b[0m" };

/** A QR code for a terminal, two rows of it in each line. */
export function qrText(text: string, { colour }: { colour: boolean }): string {
	const { data } = encode(text, { border: 2, ecc: "L" });
	const lines: string[] = [];
	for (let row = 0; row < data.length; row += 2) {
		const line = (data[row] ?? []).map((top, column) => HALVES[(top ? 2 : 0) + (data[row + 1]?.[column] === true ? 1 : 0)]).join("");
		lines.push(colour ? `${COLOURS.on}${line}${COLOURS.off}` : line);
	}
	return lines.join("\n");
}

/** Neither half dark, the lower, the upper, both. */
const HALVES = [" ", "▄", "▀", "█"];
