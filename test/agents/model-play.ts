/** What a model was asked, whichever way: who said what, in order, and the names of the tools that it may call. */
export interface ModelCall {
	turns: { by: "user" | "assistant" | "tool"; text: string }[];
	tools: string[];
	/** Pictures in all of it. */
	images: number;
}

/** One thing that a model does in its answer. */
export type Deed =
	| { kind: "text"; text: string }
	| { kind: "tool"; name: string; args: Record<string, unknown> }
	| { kind: "pause"; ms: number }
	| { kind: "status"; code: number };

/** The word before a script in a prompt: agents put much around a prompt, and ask their models other things too. */
const MARK = "play: ";

/** A prompt that makes the model behind an agent do these things; commands are those of `decide`. */
export const play = (...commands: string[]): string => `${MARK}${commands.join(" ;; ")}`;

/**
 * What the model does now: the script of the newest prompt, from where the results of its tools show that it is.
 *
 *     say WORDS · slow MS · stream N MS · tool NAME JSON · fail CODE · history · pictures · find WORD · result
 *
 * A request without a script is one for a title or the like.
 */
export function decide({ turns, tools, images }: ModelCall): Deed[] {
	const at = turns.findLastIndex(({ by, text }) => by === "user" && scriptOf(text) !== undefined);
	const script = at < 0 ? undefined : scriptOf(turns[at]?.text ?? "");
	if (script === undefined || tools.length === 0) return [{ kind: "text", text: "A title" }];
	let done = turns.slice(at + 1).filter(({ by }) => by === "tool").length;
	const deeds: Deed[] = [];
	for (const line of script) {
		const [, name = "", rest = ""] = /^(\S+)\s*(.*)$/s.exec(line) ?? [];
		if (name === "tool") {
			if (done === 0) return [...deeds, callTool(rest, tools)];
			done -= 1;
			deeds.length = 0;
		} else if (name === "say") deeds.push({ kind: "text", text: rest });
		else if (name === "slow") deeds.push({ kind: "pause", ms: Number(rest) });
		else if (name === "fail") deeds.push({ kind: "status", code: Number(rest) });
		else if (name === "pictures") deeds.push({ kind: "text", text: `Pictures: ${images}` });
		else if (name === "find") deeds.push({ kind: "text", text: `${turns.some(({ text }) => text.includes(rest)) ? "Found" : "Missing"}.` });
		else if (name === "result") deeds.push({ kind: "text", text: `Result: ${turns.findLast(({ by }) => by === "tool")?.text ?? "none"}` });
		else if (name === "history") deeds.push({ kind: "text", text: historyOf(turns.slice(0, at + 1)) });
		else if (name === "stream") deeds.push(...stream(rest));
	}
	return deeds.length === 0 ? [{ kind: "text", text: "Done." }] : deeds;
}

function scriptOf(text: string): string[] | undefined {
	const line = text.split("\n").findLast((one) => one.trimStart().startsWith(MARK));
	return line?.trim().slice(MARK.length).split(" ;; ");
}

/** The agent's name for a tool: ours come with the server's name before them, and before its own of the same name unless `=` says which. */
function callTool(rest: string, tools: string[]): Deed {
	const [, name = "", json = ""] = /^(\S+)\s*(.*)$/s.exec(rest) ?? [];
	const ours = (one: string) => tools.find((tool) => /rightseat[_-]/.test(tool) && /[_-]([^_-]+)$/.exec(tool)?.[1] === one);
	const own = (one: string) => tools.find((tool) => tool === one);
	const found = name.startsWith("=") ? [own(name.slice(1))] : name.split("|").map((one) => ours(one) ?? own(one));
	if (found[0] === undefined) return { kind: "text", text: `There is no tool ${name} among ${tools.join(" ")}` };
	return { kind: "tool", name: found[0], args: JSON.parse(json === "" ? "{}" : json) };
}

/** Every script but the newest, wherever it stands: a client that knows that a history was lost tells it in words before the prompt. */
function historyOf(turns: ModelCall["turns"]): string {
	const lines = turns.flatMap(({ by, text }) => (by === "user" ? text.split("\n") : [])).filter((line) => line.includes(MARK));
	const scripts = lines.slice(0, -1).map((line) => line.slice(line.indexOf(MARK) + MARK.length).trim());
	return `Remembered: ${scripts.join(" | ") || "nothing"}`;
}

function stream(rest: string): Deed[] {
	const [count = 10, ms = 100] = rest.split(" ").map(Number);
	return Array.from({ length: count }, (_, at): Deed[] => [
		{ kind: "text", text: `word${at + 1} ` },
		{ kind: "pause", ms },
	]).flat();
}
