import { isPicture } from "../review/language-of.ts";

/** How a file is shown. */
export type ShownFile =
	| { kind: "picture"; bytes: Uint8Array; type: string }
	| { kind: "text"; text: string; isMarkdown: boolean }
	| { kind: "binary" };

/** Only types that a browser draws without running anything. */
const PICTURE_TYPES: Readonly<Record<string, string>> = {
	png: "image/png",
	jpg: "image/jpeg",
	jpeg: "image/jpeg",
	gif: "image/gif",
	webp: "image/webp",
	avif: "image/avif",
	bmp: "image/bmp",
	ico: "image/x-icon",
	svg: "image/svg+xml",
};

/** What the bytes of a file are, by its name and by what is in it. */
export function readShownFile(path: string, bytes: Uint8Array): ShownFile {
	const ending = path.slice(path.lastIndexOf(".") + 1).toLowerCase();
	const type = PICTURE_TYPES[ending];
	if (isPicture(path) && type !== undefined) return { kind: "picture", bytes, type };
	if (bytes.includes(0)) return { kind: "binary" };
	return { kind: "text", text: new TextDecoder().decode(bytes), isMarkdown: ending === "md" || ending === "markdown" };
}

/** Bytes for a person. */
export function sizeText(bytes: number): string {
	if (bytes < 1_024) return `${bytes} B`;
	const [unit, value] = bytes < 1_048_576 ? ["KB", bytes / 1_024] : ["MB", bytes / 1_048_576];
	return `${value < 10 ? value.toFixed(1) : Math.round(value)} ${unit}`;
}

/** A path, and the line that an agent writes behind it. */
export function splitLine(named: string): { path: string; line: number | undefined } {
	const found = /^(.+?):(\d{1,9})(?::\d+)?$/.exec(named);
	return { path: found?.[1] ?? named, line: found?.[2] === undefined ? undefined : Number(found[2]) };
}
