import MarkdownIt, { type StateInline } from "markdown-it";
import cjkFriendly from "markdown-it-cjk-friendly";

/** A tolerant Markdown tokenizer: raw HTML stays text, Chinese emphasis works, file names keep their underscores and backslashes. */
export function createMarkdownParser(): InstanceType<typeof MarkdownIt> {
	const parser = new MarkdownIt({ html: false, linkify: false }).use(cjkFriendly);
	parser.inline.ruler.before("emphasis", "dunder-name", keepDunderName);
	parser.inline.ruler.before("escape", "windows-path", keepWindowsPath);
	return parser;
}

type InlineRule = (state: StateInline, silent: boolean) => boolean;

// CommonMark makes `__init__.py` a bold "init" followed by ".py".
const keepDunderName: InlineRule = (state, silent) => {
	const match = /^__[A-Za-z0-9]\w*?__/.exec(state.src.slice(state.pos, state.pos + 80));
	if (match === null) return false;
	const before = state.src[state.pos - 1] ?? " ";
	const after = state.src[state.pos + match[0].length] ?? " ";
	if (!/[.\w]/.test(before) && !/[.(\w]/.test(after)) return false;
	if (!silent) state.pending += match[0];
	state.pos += match[0].length;
	return true;
};

// CommonMark eats the backslash of `C:\me\_x`.
const keepWindowsPath: InlineRule = (state, silent) => {
	if (state.src[state.pos] !== "\\") return false;
	// Looking back further would make a long text without a space cost its square.
	const before = state.src.slice(Math.max(0, state.pos - 200), state.pos);
	const word = before.slice(before.lastIndexOf(" ") + 1);
	if (!/(^|\W)[A-Za-z]:\\|\\[A-Za-z]/.test(word)) return false;
	if (!silent) state.pending += "\\";
	state.pos += 1;
	return true;
};
