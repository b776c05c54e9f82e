import { MAX_TYPED_CHARS } from "@rightseat/protocol/limits";
import { findSlashCommand } from "../../commands/slash-commands.ts";
import { useRunCommand } from "../../commands/use-commands.ts";
import { useWords } from "../../i18n/use-words.tsx";
import { useReadUi } from "../../state/ui-slice.tsx";
import { useActions, useApp } from "../../state/use-page.tsx";
import { doneAttachments } from "../attach/upload.ts";
import { composerWords } from "../composer-messages.ts";
import { readInput } from "./read-input.ts";
import type { useDraft } from "./use-draft.ts";

export type SendMode = "enqueue" | "immediate";

/** Sends what is in the box to the model, the shell or the page. True when the box was emptied. */
export function useSubmit(draft: ReturnType<typeof useDraft>): (mode: SendMode, text: string) => boolean {
	const t = useWords(composerWords);
	const actions = useActions();
	// Where the conversation is gone, what is written begins a new one instead of being sent into nothing.
	const openId = useApp((state) => (state.openId === state.missingId ? undefined : state.openId));
	const readUi = useReadUi();
	const run = useRunCommand();

	/** What could not be handed over comes back into the box: there is no conversation yet that could keep it. */
	async function handOver(text: string, send: (conversationId: string) => Promise<boolean>): Promise<void> {
		const { items } = draft;
		const { newAgent: agent, newModel: model, newSetting } = readUi();
		const conversationId = openId ?? (await actions.newConversation({ agent, model, ...newSetting }));
		if (conversationId === undefined || !(await send(conversationId))) draft.restore({ text, items });
	}

	function refuse(kind: "info" | "error", text: string): false {
		actions.toast({ kind, text });
		return false;
	}

	return (mode, text) => {
		const surplus = text.length - MAX_TYPED_CHARS;
		if (surplus > 0) return refuse("error", t("tooLong", { count: surplus }));
		if (draft.items.some((item) => item.state === "uploading")) return refuse("info", t("waitForUpload"));
		const attachments = doneAttachments(draft.items).map(({ id }) => id);
		const input = readInput(text, { attachments: attachments.length });
		switch (input.kind) {
			case "nothing":
				return false;
			case "needs-argument":
				return refuse("info", t("needsArgument", { name: input.name, example: input.name === "cwd" ? "~/project" : "…" }));
			case "prompt":
				void handOver(text, (conversationId) => actions.sendPrompt({ conversationId, prompt: input.prompt, attachments, mode }));
				draft.clear();
				return true;
			// Files wait for a prompt; a command of the shell or of the page does not take them along.
			case "shell":
				void handOver(text, (conversationId) => actions.handleBashSend(input.command, conversationId));
				draft.setText("");
				return true;
			case "command": {
				const command = findSlashCommand(input.name);
				if (command !== undefined) run(command.id, { by: "slash", argument: input.argument });
				draft.setText("");
				return true;
			}
			default:
				return input;
		}
	};
}
