/** Longer sources are shown as code: nobody reads such a picture. */
export const MAX_DIAGRAM_CHARS = 50_000;

/**
 * Reads a line from left to right and never goes back over what it has passed: its work grows with the length of the line
 * and no faster, whatever a model wrote. `work.steps` counts the characters that were looked at.
 */
export interface Scanner {
	isDone(): boolean;
	skipBlanks(): void;
	/** Passes the text if it comes next. */
	take(text: string): boolean;
	/** Passes all characters that fit, and returns them. */
	takeWhile(fits: (character: string) => boolean): string;
	/** What comes before the first of these characters, which stays; undefined, and nothing is passed, when none of them comes. */
	takeUntil(ends: string): string | undefined;
	peek(): string;
}

export interface Work {
	steps: number;
}

export function createScanner(line: string, work: Work): Scanner {
	let at = 0;

	function takeWhile(fits: (character: string) => boolean): string {
		const from = at;
		while (at < line.length) {
			const character = String.fromCodePoint(line.codePointAt(at) ?? 0);
			work.steps++;
			if (!fits(character)) break;
			at += character.length;
		}
		return line.slice(from, at);
	}

	return {
		isDone: () => at >= line.length,
		skipBlanks: () => void takeWhile((character) => character.trim() === ""),
		takeWhile,
		take(text) {
			work.steps += text.length;
			if (!line.startsWith(text, at)) return false;
			at += text.length;
			return true;
		},
		takeUntil(ends) {
			for (let end = at; end < line.length; end++) {
				work.steps++;
				if (!ends.includes(line.charAt(end))) continue;
				const text = line.slice(at, end);
				at = end;
				return text;
			}
			return undefined;
		},
		peek: () => line.charAt(at),
	};
}

/** The lines that say something: without comments and blanks around them. */
export function diagramLines(source: string, separator: RegExp | string): string[] {
	return source.split(separator).flatMap((line) => {
		const comment = line.indexOf("%%");
		const text = (comment < 0 ? line : line.slice(0, comment)).trim();
		return text === "" ? [] : [text];
	});
}
