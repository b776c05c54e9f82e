/** More of a name is not shown. */
export const MAX_NAME_CHARS = 200;
/** More of a command line is not shown; how much is missing is said. */
export const MAX_RUNS_CHARS = 4_000;

// Control characters, and those that turn the direction of a line, take no space or look like one: with them a text looks like another one.
const INVISIBLE = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u2800]/gu;
const INVISIBLE_BUT_LINES = /(?![\n\t])[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u2800]/gu;
const PLAIN_WORD = /^[\w@%+=:,./-]+$/;

/** A name on one line, with everything that cannot be seen written out. */
export function visibleName(text: string): string {
	return cut(written(text, INVISIBLE), MAX_NAME_CHARS);
}

/** A script as it stands in its file: its lines stay, everything else that cannot be seen is written out. */
export function visibleScript(text: string): string {
	return cut(written(text, INVISIBLE_BUT_LINES), MAX_RUNS_CHARS);
}

/** A program with its arguments, quoted as a shell would need it, so that one argument never looks like two. */
export function commandLine(words: readonly string[]): string {
	return cut(words.map(quoted).join(" "), MAX_RUNS_CHARS);
}

function quoted(word: string): string {
	if (PLAIN_WORD.test(word)) return word;
	const shown = written(word, INVISIBLE);
	const isChanged = shown !== word;
	return isChanged ? `$'${written(word.replaceAll(/['\\]/g, "\\$&"), INVISIBLE)}'` : `'${word.replaceAll("'", "'\\''")}'`;
}

const written = (text: string, what: RegExp) => text.replaceAll(/\p{Cs}/gu, "\uFFFD").replaceAll(what, (character) => escapeOf(character));

function escapeOf(character: string): string {
	if (character === "\n") return "\\n";
	if (character === "\t") return "\\t";
	const code = character.codePointAt(0) ?? 0;
	return code > 0xffff ? `\\U${code.toString(16).padStart(8, "0")}` : `\\u${code.toString(16).padStart(4, "0")}`;
}

function cut(text: string, max: number): string {
	const characters = text.length > max ? [...text] : [];
	return characters.length > max ? `${characters.slice(0, max).join("")}… (+${characters.length - max})` : text;
}
