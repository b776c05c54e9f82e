import type { Token } from "markdown-it";
import remend from "remend";
import type { Parser } from "./parser.ts";

/** One top-level piece of a text. The same object as long as its text and what it refers to stay the same. */
export interface Block {
	key: number;
	source: string;
	tokens: readonly Token[];
	/** Still being written: the end of it may change. */
	open: boolean;
}

export interface MarkdownStream {
	/** Blocks of the text. Text that only grew costs about what its last two blocks cost. */
	update(text: string, complete: boolean): readonly Block[];
}

type References = Record<string, { title: string; href: string }>;

/** Blocks before these last ones are final when text is appended; the last line can still join the one before. */
const OPEN_BLOCKS = 2;

export function createMarkdownStream(parser: Parser): MarkdownStream {
	let frozen: Block[] = [];
	let prefix = "";
	/** Link definitions in the frozen part. */
	let frozenReferences: References = {};
	let open: Block[] = [];
	let known: References = {};
	let knownKey = "";
	let last: { text: string; complete: boolean; blocks: readonly Block[] } | undefined;

	const restart = () => {
		frozen = [];
		prefix = "";
		frozenReferences = {};
		open = [];
	};

	const make = (key: number, source: string, growing: boolean): Block => {
		const healed = growing ? heal(source) : source;
		return { key, source, tokens: parser.parse(healed, { references: { ...known } }), open: growing };
	};

	return {
		update(raw, complete) {
			if (last?.text === raw && last.complete === complete) return last.blocks;
			const text = raw.includes("\r") ? raw.replace(/\r\n?/g, "\n") : raw;
			if (!text.startsWith(prefix)) restart();
			const tail = text.slice(prefix.length);
			const visible = complete ? tail : withoutOpenDefinition(tail);
			const references: References = { ...frozenReferences };
			const groups = split(parser, visible, references);

			const key = JSON.stringify(references);
			if (key !== knownKey) {
				known = references;
				knownKey = key;
				// A definition may come after its use: what could refer to it is read again.
				frozen = frozen.map((block) => (block.source.includes("[") ? make(block.key, block.source, false) : block));
				open = open.filter((block) => !block.source.includes("["));
			}

			const reuse = new Map(open.map((block) => [block.key, block]));
			const build = (group: Group, index: number): Block => {
				const blockKey = frozen.length + index;
				const growing = !complete && index === groups.length - 1;
				const before = reuse.get(blockKey);
				return before?.source === group.source && before.open === growing ? before : make(blockKey, group.source, growing);
			};
			const current = groups.map(build);
			const settled = complete ? 0 : Math.max(0, groups.length - OPEN_BLOCKS);
			const border = groups[settled];
			open = current;
			const blocks = [...frozen, ...current];
			if (settled > 0 && border !== undefined) {
				const segment = visible.slice(0, border.start);
				if (segment.includes("]:")) split(parser, segment, frozenReferences);
				prefix += segment;
				frozen = [...frozen, ...current.slice(0, settled)];
				open = current.slice(settled);
			}
			last = { text: raw, complete, blocks };
			return blocks;
		},
	};
}

interface Group {
	/** Offset of its first line in the text that was split. */
	start: number;
	source: string;
}

/** The top-level blocks of a text; link definitions, which are no blocks, go into `references`. */
function split(parser: Parser, text: string, references: References): Group[] {
	const tokens: Token[] = [];
	parser.block.parse(text.replaceAll("\0", "\uFFFD"), parser, { references }, tokens);
	const lines = lineStarts(text);
	const groups: Group[] = [];
	for (const token of tokens) {
		if (token.level !== 0 || token.nesting < 0 || token.map === null) continue;
		const [from, to] = token.map;
		const start = lines[from] ?? text.length;
		const end = lines[to] ?? text.length;
		groups.push({ start, source: text.slice(start, end) });
	}
	return groups;
}

function lineStarts(text: string): number[] {
	const starts = [0];
	for (let at = text.indexOf("\n"); at >= 0; at = text.indexOf("\n", at + 1)) starts.push(at + 1);
	return starts;
}

/** A link definition that is still being written would show as text and then vanish. */
function withoutOpenDefinition(text: string): string {
	const start = text.lastIndexOf("\n") + 1;
	return /^ {0,3}\[[^\]]+\]:/.test(text.slice(start)) ? text.slice(0, start) : text;
}

/** Closes what the last block has opened so far, so that `**bo` is bold already and no mark flashes by. */
function heal(source: string): string {
	if (/^ {0,3}(```|~~~|\$\$|\\\[)/.test(source)) return source;
	return remend(source, { linkMode: "text-only", htmlTags: false, comparisonOperators: false, singleTilde: false });
}
