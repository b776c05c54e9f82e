import { MAX_TYPED_CHARS } from "@rightseat/protocol/limits";
import { isShellLine } from "@rightseat/protocol/parse-input";
import { findSlashCommand, parseSlashCommand } from "../../commands/slash-commands.ts";
import { useRunCommand } from "../../commands/use-commands.ts";
import { useWords } from "../../i18n/use-words.tsx";
import { useUi } from "../../state/ui-slice.tsx";
import { useActions, useApp } from "../../state/use-page.tsx";
import { doneAttachments } from "../attach/upload.ts";
import { composerWords } from "../composer-messages.ts";
import { submitInput } from "./submit-input.ts";
import type { useDraft } from "./use-draft.ts";

export type SendMode = "enqueue" | "immediate";

/** Sends what is in the box to where it belongs. True when the box was emptied. */
export function useSubmit(draft: ReturnType<typeof useDraft>): (mode: SendMode, text: string) => boolean {
	const t = useWords(composerWords);
	const actions = useActions();
	// Where the conversation is gone, what is written begins a new one instead of being sent into nothing.
	const openId = useApp((state) => (state.openId === state.missingId ? undefined : state.openId));
	const newModel = useUi((state) => state.newModel);
	const run = useRunCommand();

	const target = async () => openId ?? (await actions.newConversation(newModel === undefined ? {} : { model: newModel }));
	/** What could not be handed over comes back into the box: there is no conversation yet that could keep it. */
	const handOver = async (text: string, send: (conversationId: string) => Promise<boolean>) => {
		const { items } = draft;
		const conversationId = await target();
		if (conversationId === undefined || !(await send(conversationId))) draft.restore({ text, items });
	};

	return (mode, text) => {
		const refuse = (kind: "info" | "error", words: string) => {
			actions.toast({ kind, text: words });
			return false;
		};
		const surplus = text.length - MAX_TYPED_CHARS;
		if (surplus > 0) return refuse("error", t("tooLong", { count: surplus }));
		if (draft.items.some((item) => item.state === "uploading")) return refuse("info", t("waitForUpload"));
		const attachments = doneAttachments(draft.items).map(({ id }) => id);
		const result = submitInput(
			{ text, mode, attachments: attachments.length },
			{
				handleBashSend: (command) => void handOver(text, (id) => actions.handleBashSend(command, id)),
				handleSend: (prompt) => void handOver(text, (conversationId) => actions.sendPrompt({ conversationId, prompt, attachments, mode })),
				handleCommand(name, argument) {
					const command = findSlashCommand(name);
					if (command !== undefined) run(command.id, { by: "slash", argument });
				},
			},
		);
		if (result === "needs-argument") {
			const name = text.trim().slice(1);
			return refuse("info", t("needsArgument", { name, example: name === "cwd" ? "~/project" : "…" }));
		}
		if (result === "ignored") return false;
		// Files wait for a prompt; a command of the shell or of the page does not take them along.
		if (isShellLine(text) || parseSlashCommand(text) !== undefined) draft.setText("");
		else draft.clear();
		return true;
	};
}
