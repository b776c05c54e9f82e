/** Whether one name matches; no pattern makes it slow. */
export type NameMatch = (name: string) => boolean;

type Token = { kind: "star" } | { kind: "one"; matches(char: string): boolean };

/** `*`, `?`, `[…]` and `\x` within one name, as git reads them. Undefined for a pattern that can match nothing. */
export function compileName(pattern: string): NameMatch | undefined {
	if (!/[*?[\\]/.test(pattern)) return (name) => name === pattern;
	const [, suffix] = /^\*([^*?[\\]+)$/.exec(pattern) ?? [];
	if (suffix !== undefined) return (name) => name.endsWith(suffix);
	const tokens = tokensOf(pattern);
	return tokens && ((name) => matchTokens(tokens, name));
}

function matchTokens(tokens: readonly Token[], name: string): boolean {
	let token = 0;
	let starToken = -1;
	let starChar = 0;
	for (let char = 0; char < name.length; ) {
		const now = tokens[token];
		if (now?.kind === "star") {
			starToken = token++;
			starChar = char;
		} else if (now?.matches(name.charAt(char)) === true) {
			token += 1;
			char += 1;
		} else if (starToken >= 0) {
			token = starToken + 1;
			char = ++starChar;
		} else return false;
	}
	return tokens.slice(token).every(({ kind }) => kind === "star");
}

function tokensOf(pattern: string): Token[] | undefined {
	const tokens: Token[] = [];
	for (let at = 0; at < pattern.length; at += 1) {
		const char = pattern.charAt(at);
		if (char === "*") {
			if (tokens.at(-1)?.kind !== "star") tokens.push({ kind: "star" });
		} else if (char === "?") tokens.push({ kind: "one", matches: () => true });
		else if (char === "[") {
			const found = classAt(pattern, at);
			if (found === undefined) return undefined;
			tokens.push({ kind: "one", matches: found.matches });
			at = found.end;
		} else {
			const literal = char === "\\" ? pattern.charAt(++at) : char;
			if (literal === "") return undefined;
			tokens.push({ kind: "one", matches: (other) => other === literal });
		}
	}
	return tokens;
}

/** A bracket expression; `end` is the place of its `]`. */
function classAt(pattern: string, start: number): { matches(char: string): boolean; end: number } | undefined {
	let at = start + 1;
	const negated = pattern[at] === "!" || pattern[at] === "^";
	if (negated) at += 1;
	const members: ((char: string) => boolean)[] = [];
	for (let first = true; first || pattern[at] !== "]"; first = false) {
		if (at >= pattern.length) return undefined;
		const [whole = "", name = ""] = /^\[:(\w+):\]/.exec(pattern.slice(at)) ?? [];
		if (whole !== "") {
			const named = NAMED[name];
			if (named === undefined) return undefined;
			members.push((char) => named.test(char));
			at += whole.length;
			continue;
		}
		const low = charAt(pattern, at);
		at = low.next;
		if (pattern[at] === "-" && at + 1 < pattern.length && pattern[at + 1] !== "]") {
			const high = charAt(pattern, at + 1);
			at = high.next;
			members.push((char) => char >= low.char && char <= high.char);
		} else members.push((char) => char === low.char);
	}
	return { matches: (char) => members.some((member) => member(char)) !== negated, end: at };
}

const charAt = (pattern: string, at: number) =>
	pattern[at] === "\\" ? { char: pattern.charAt(at + 1), next: at + 2 } : { char: pattern.charAt(at), next: at + 1 };

const NAMED: Readonly<Record<string, RegExp>> = {
	alnum: /[a-zA-Z0-9]/,
	alpha: /[a-zA-Z]/,
	blank: /[ \t]/,
	cntrl: /[\0-\x1f\x7f]/,
	digit: /[0-9]/,
	graph: /[!-~]/,
	lower: /[a-z]/,
	print: /[ -~]/,
	punct: /[!-/:-@[-`{-~]/,
	space: /[ \t\n\v\f\r]/,
	upper: /[A-Z]/,
	xdigit: /[0-9a-fA-F]/,
};
