const LINE_PX = 19;

/** About how much room a text takes at 14 px; wide characters count double. */
export function textSize(text: string): { width: number; height: number } {
	const lines = text.split("\n");
	const widths = lines.map((line) => [...line].reduce((sum, char) => sum + ((char.codePointAt(0) ?? 0) > 0x2e7f ? 14.5 : 7.8), 0));
	return { width: Math.max(16, ...widths), height: lines.length * LINE_PX };
}
