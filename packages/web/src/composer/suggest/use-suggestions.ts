import { useCallback, useEffect, useState } from "react";
import { type SlashCommand, slashCommandsOf } from "../../commands/registry.ts";
import { slashHint, suggestCommands } from "../../commands/slash-commands.ts";
import { useAvailableCommands } from "../../commands/use-commands.ts";
import { useLanguage } from "../../i18n/use-words.tsx";
import type { Language } from "../../i18n/words.ts";
import type { FindAgentCommands } from "./agent-commands.ts";
import { searchFiles } from "./file-search.ts";
import { findMention, insertMention, type Mention } from "./mention.ts";

export interface Suggestion {
	id: string;
	label: string;
	hint: string;
	/** The text and caret after choosing it; `run` sends it at once. */
	choose(text: string): { text: string; caret: number; run: boolean };
}

export interface Suggestions {
	kind: "commands" | "files" | undefined;
	items: readonly Suggestion[];
	state: "idle" | "searching" | "none";
	active: number;
	move(step: number): void;
	setActive(index: number): void;
	dismiss(): void;
}

const SEARCH_AFTER_MS = 80;

/** The list above the box: commands after `/`, files after `@`. */
export function useSuggestions(text: string, caret: number, conversationId: string | undefined): Suggestions {
	const language = useLanguage();
	const available = useAvailableCommands();
	const [dismissed, setDismissed] = useState<string>();
	const [active, setActive] = useState(0);
	const theirs = useAgentCommands(conversationId, text, language);
	const own = suggestCommands(text, slashCommandsOf(available));
	const commands = own === undefined && theirs.length === 0 ? undefined : withTheirs(commandItems(own ?? [], language), theirs, text);
	const mention = commands === undefined ? findMention(text, caret) : undefined;
	const files = useFiles(conversationId, mention?.query);
	const trigger = commands !== undefined ? `/${text}` : mention !== undefined ? `@${mention.start}` : "";
	const open = trigger !== "" && trigger !== dismissed;
	const items = !open ? [] : (commands ?? fileItems(files.paths, mention));

	// biome-ignore lint/correctness/useExhaustiveDependencies: the choice starts at the top whenever what is looked for changes
	useEffect(() => setActive(0), [trigger, mention?.query]);

	return {
		kind: !open ? undefined : commands !== undefined ? "commands" : "files",
		items,
		state: mention === undefined || items.length > 0 ? "idle" : files.searching ? "searching" : "none",
		active: Math.min(active, Math.max(0, items.length - 1)),
		move: useCallback((step: number) => setActive((at) => (at + step + items.length) % Math.max(1, items.length)), [items.length]),
		setActive,
		dismiss: useCallback(() => setDismissed(trigger), [trigger]),
	};
}

/** Asked for when a slash is written; until the answer is there, there are none. */
function useAgentCommands(conversationId: string | undefined, text: string, language: Language): readonly Suggestion[] {
	const [loaded, setLoaded] = useState<{ of: string; find: FindAgentCommands }>();
	const word = /^\/([\w.:-]*)$/.exec(text)?.[1];
	const wanted = word === undefined ? undefined : conversationId;
	useEffect(() => {
		let left = wanted === undefined;
		if (wanted !== undefined)
			import("./agent-commands.ts")
				.then(({ loadAgentCommands }) => loadAgentCommands(wanted))
				.then((find) => left || setLoaded({ of: wanted, find }))
				// The page's own are there without it.
				.catch(() => undefined);
		return () => {
			left = true;
		};
	}, [wanted]);
	return word === undefined || loaded === undefined || loaded.of !== wanted ? [] : loaded.find(word, language);
}

/** The page's own first, but nothing before what was written in full. */
function withTheirs(own: readonly Suggestion[], theirs: readonly Suggestion[], text: string): readonly Suggestion[] {
	return [...theirs.filter(({ label }) => label === text), ...own, ...theirs.filter(({ label }) => label !== text)];
}

function useFiles(conversationId: string | undefined, query: string | undefined) {
	const [result, setResult] = useState<{ query: string; paths: readonly string[] }>();
	useEffect(() => {
		if (query === undefined) return;
		const aborted = new AbortController();
		const timer = setTimeout(async () => {
			const paths = await searchFiles(conversationId, query, aborted.signal).catch((): string[] => []);
			if (!aborted.signal.aborted) setResult({ query, paths });
		}, SEARCH_AFTER_MS);
		return () => {
			clearTimeout(timer);
			aborted.abort();
		};
	}, [conversationId, query]);
	// What was found for the shorter word stays until the answer comes, so that the list does not flicker.
	return { paths: query === undefined ? [] : (result?.paths ?? []), searching: result?.query !== query };
}

function commandItems(commands: readonly SlashCommand[], language: Language) {
	return commands.map(
		(command): Suggestion => ({
			id: command.id,
			label: `/${command.slash.name}`,
			hint: slashHint(command, language),
			choose: () => {
				const { name, argument } = command.slash;
				const next = argument === "required" ? `/${name} ` : `/${name}`;
				return { text: next, caret: next.length, run: argument !== "required" };
			},
		}),
	);
}

function fileItems(paths: readonly string[], mention: Mention | undefined): Suggestion[] {
	if (mention === undefined) return [];
	return paths.slice(0, 8).map((path) => ({
		id: path,
		label: path.split("/").findLast((part) => part !== "") ?? path,
		hint: path,
		choose: (text) => ({ ...insertMention(text, mention, path), run: false }),
	}));
}
