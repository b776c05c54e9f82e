import { useCallback } from "react";
import { api } from "../../api/api.ts";
import { request } from "../../api/request.ts";
import { useWords } from "../../i18n/use-words.tsx";
import { useUiSet } from "../../state/ui-slice.tsx";
import { useActions, useApp } from "../../state/use-page.tsx";
import { composerWords } from "../composer-messages.ts";
import type { SlashCommandName } from "./slash-commands.ts";

/** Runs the page's own commands on the conversation on screen. */
export function useSlashCommands(): (name: SlashCommandName, argument: string) => void {
	const t = useWords(composerWords);
	const actions = useActions();
	const setUi = useUiSet();
	const openId = useApp((state) => state.openId);
	const conversation = useApp((state) => (state.openId === undefined ? undefined : state.conversations[state.openId]));
	const models = useApp((state) => state.models);
	const context = useApp((state) => (state.openId === undefined ? undefined : state.views[state.openId]?.context));

	return useCallback(
		(name, argument) => {
			const say = (text: string) => actions.toast({ kind: "info", text });
			const complain = (text: string) => actions.toast({ kind: "error", text });
			const onOpen = (run: (id: string) => void) => (openId === undefined ? complain(t("noConversation", { name })) : run(openId));
			const oneOf = (values: readonly string[], run: (value: string) => void) =>
				values.includes(argument) ? run(argument) : complain(t("unknownValue", { name, values: values.join(", ") }));
			switch (name) {
				case "new":
					return actions.openConversation(undefined);
				case "model": {
					if (argument === "") return setUi({ modelPickerRequest: Date.now() });
					const wanted = argument.toLowerCase();
					const model = models?.models.find(({ id, name: title }) => id.toLowerCase() === wanted || title.toLowerCase() === wanted);
					if (model === undefined) return complain(t("unknownModel", { name: argument }));
					if (openId === undefined) return setUi({ newModel: model.id });
					return void actions.updateConversation(openId, { model: model.id });
				}
				case "cwd":
					return void onOpen((id) => void changeDirectory(id, argument, say, complain, t));
				case "stop":
					return void onOpen(actions.abort);
				case "export":
					return void onOpen((id) => window.location.assign(api.exportUrl(id, argument === "json" ? "json" : "markdown")));
				case "clear-context":
					return void onOpen((id) => {
						for (const item of context ?? []) actions.dropContext(id, item.messageId);
						say(t("contextCleared"));
					});
				case "restart-shell":
					return void onOpen((id) => actions.send({ type: "bash:restart", data: { conversationId: id } }) && say(t("shellRestarted")));
				case "terminal":
				case "processes":
					return actions.show({ panel: name });
				case "permissions": {
					if (conversation === undefined) return complain(t("noConversation", { name }));
					const change = async (value: "auto" | "ask") => {
						if (await actions.updateConversation(conversation.id, { permissions: value })) {
							say(t(value === "auto" ? "permissionsAuto" : "permissionsAsk"));
						}
					};
					if (argument === "") return void change(conversation.permissions === "auto" ? "ask" : "auto");
					return oneOf(["auto", "ask"], (value) => void change(value === "ask" ? "ask" : "auto"));
				}
				case "rename":
					return void onOpen((id) => void actions.renameConversation(id, argument));
				case "pin":
					return void onOpen((id) => void actions.pinConversation(id, conversation?.pinned !== true));
				case "archive":
					return void onOpen((id) => void actions.archiveConversation(id, true).then((done) => done && say(t("archived"))));
				case "search":
					actions.changeSettings({ sidebar: true });
					actions.show({ sidebarOpen: true });
					return setUi({ searchRequest: { query: argument, at: Date.now() } });
				case "theme":
					if (argument === "") return actions.show({ settingsOpen: true });
					return oneOf(["light", "dark", "system"], (value) =>
						actions.changeSettings({ theme: value === "light" ? "light" : value === "dark" ? "dark" : "system" }),
					);
				case "settings":
					return actions.show({ settingsOpen: true });
				case "shortcuts":
					return setUi({ dialog: "shortcuts" });
				case "help":
					return say(t("help"));
			}
		},
		[actions, context, conversation, models, openId, setUi, t],
	);
}

async function changeDirectory(
	id: string,
	cwd: string,
	say: (text: string) => void,
	complain: (text: string) => void,
	t: (key: "cwdChanged", params: { cwd: string }) => string,
): Promise<void> {
	try {
		await request(`/api/conversations/${encodeURIComponent(id)}`, { method: "PATCH", json: { cwd } });
		say(t("cwdChanged", { cwd }));
	} catch (error) {
		complain(error instanceof Error ? error.message : String(error));
	}
}
