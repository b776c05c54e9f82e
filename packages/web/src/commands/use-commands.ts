import { useCallback, useMemo } from "react";
import { useLanguage, useWords } from "../i18n/use-words.tsx";
import { usePageEvents, useReadUi } from "../state/ui-slice.tsx";
import { useActions, useApp, useReadApp } from "../state/use-page.tsx";
import { type CommandContext, openConversationId } from "./command.ts";
import { commandReplyWords } from "./command-messages.ts";
import { availableCommands, COMMANDS, type CommandId, getCommand, type PageCommand } from "./registry.ts";

export type RunCommand = (id: CommandId, how: Pick<CommandContext, "by"> & { argument?: string; conversationId?: string }) => void;

/** Runs a command on the page as it is at that moment; the function stays the same, so that nothing is drawn again for it. */
export function useRunCommand(): RunCommand {
	const actions = useActions();
	const events = usePageEvents();
	const language = useLanguage();
	const t = useWords(commandReplyWords);
	const readApp = useReadApp();
	const readUi = useReadUi();
	return useCallback(
		(id, { by, argument = "", conversationId }) => {
			const state = readApp();
			const context = { state, ui: readUi(), actions, events, language, t, by, argument };
			getCommand(id).run({ ...context, conversationId: conversationId ?? openConversationId(state) });
		},
		[actions, events, language, t, readApp, readUi],
	);
}

/** The commands that make sense now. */
export function useAvailableCommands(): readonly PageCommand[] {
	// As one text: a list would be a new one, and a new drawing, with every word of an answer.
	const ids = useApp((state) =>
		availableCommands(state)
			.map(({ id }) => id)
			.join(" "),
	);
	return useMemo(() => {
		const available = new Set(ids.split(" "));
		return COMMANDS.filter(({ id }) => available.has(id));
	}, [ids]);
}
