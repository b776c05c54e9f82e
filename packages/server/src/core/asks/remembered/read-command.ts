import { type ShellToken, type ShellWord, shellTokens, type Unread, UnreadError } from "./shell-words.ts";

/** One program that a command line starts. */
export interface CommandPart {
	/** The program and its arguments, exactly as it gets them; at least one. */
	words: string[];
	/** Names of the variables that are set for it alone: `CI=1 npm test`. */
	assigned: string[];
	/** Files that are opened before it starts. */
	reads: string[];
	writes: string[];
	/** It gets the output of the part before it. */
	piped: boolean;
}

export type ReadCommand = { read: true; parts: CommandPart[] } | { read: false; why: Unread };

/** A command line with more parts is asked about. */
export const MAX_PARTS = 32;

const RESERVED = new Set("if then else elif fi for while until do done case esac in select function time coproc [[ ]] { } !".split(" "));
const ASSIGNMENT = /^([A-Za-z_][A-Za-z0-9_]*)(\[[^\]]*\])?\+?=/;

/**
 * Takes a command line apart into everything that it starts. What it does not know for certain, such as a variable or a pattern,
 * makes the whole line unread: it never guesses.
 */
export function readCommand(line: string): ReadCommand {
	try {
		return { read: true, parts: partsOf(shellTokens(line)) };
	} catch (error) {
		if (error instanceof UnreadError) return { read: false, why: error.why };
		throw error;
	}
}

interface Draft extends CommandPart {
	begun: boolean;
}

const newDraft = (piped: boolean): Draft => ({ words: [], assigned: [], reads: [], writes: [], piped, begun: false });

function partsOf(tokens: readonly ShellToken[]): CommandPart[] {
	const parts: CommandPart[] = [];
	const groups: { piped: boolean }[] = [];
	let draft = newDraft(false);
	// After `)` only an operator may come, and before `;` or `|` something must have.
	let afterGroup = false;
	let needsPart = false;
	let target: "reads" | "writes" | undefined;

	const finish = (): boolean => {
		if (!draft.begun) return afterGroup;
		const { begun: _, ...part } = draft;
		// Without a program, variables are set for all that follows and files are emptied.
		if (part.words.length === 0 || parts.length === MAX_PARTS) throw new UnreadError(part.words.length === 0 ? "syntax" : "too-long");
		parts.push(part);
		return true;
	};

	for (const token of tokens) {
		if (target !== undefined && token.kind !== "word") throw new UnreadError("syntax");
		if (token.kind === "operator" && token.text === "(") {
			if (draft.begun || afterGroup) throw new UnreadError("syntax");
			groups.push({ piped: draft.piped });
			needsPart = true;
		} else if (token.kind === "operator") {
			const ended = finish();
			const blank = token.text === "\n";
			if (!ended && (!blank || (needsPart && draft.piped))) throw new UnreadError("syntax");
			if (token.text === ")") {
				if (groups.pop() === undefined) throw new UnreadError("syntax");
				draft = newDraft(false);
				afterGroup = true;
				needsPart = false;
				continue;
			}
			afterGroup = false;
			if (ended) needsPart = ["&&", "||", "|"].includes(token.text);
			draft = newDraft(token.text === "|" || (groups.at(-1)?.piped ?? false));
		} else {
			if (afterGroup) throw new UnreadError("syntax");
			draft.begun = true;
			needsPart = false;
			if (token.kind === "redirection") target = token.does === "copy" ? undefined : `${token.does}s`;
			else if (target !== undefined) {
				if (token.word.text === "") throw new UnreadError("syntax");
				draft[target].push(token.word.text);
				target = undefined;
			} else addWord(draft, token.word);
		}
	}
	const ended = finish();
	if (target !== undefined || groups.length > 0 || (!ended && (needsPart || parts.length === 0))) throw new UnreadError("syntax");
	return parts;
}

function addWord(draft: Draft, word: ShellWord): void {
	if (draft.words.length > 0) {
		draft.words.push(word.text);
		return;
	}
	const assignment = ASSIGNMENT.exec(word.text);
	if (assignment !== null) {
		if (assignment[0].length > word.bare) throw new UnreadError("syntax");
		draft.assigned.push(assignment[1] ?? "");
		return;
	}
	if (RESERVED.has(word.text)) throw new UnreadError("reserved-word");
	if (word.text === "") throw new UnreadError("syntax");
	draft.words.push(word.text);
}
