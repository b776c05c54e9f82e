import { api } from "../api/api.ts";
import { openModels } from "../state/agent.ts";
import type { AppState } from "../state/app-state.ts";
import { type Command, type CommandContext, openConversationId, type Text } from "./command.ts";

/** Commands about one conversation: the one on screen, or the one whose menu is open. */
export const CONVERSATION_COMMANDS = [
	{
		id: "stop",
		words: { en: "Stop the running turn", "zh-Hant": "停止目前的回合" },
		keys: "mod+.",
		slash: { name: "stop", argument: "none" },
		when: hasConversation,
		run: (context) => inConversation(context, "stop", (id) => context.actions.abort(id)),
	},
	{
		id: "changes",
		words: { en: "What was changed in files", "zh-Hant": "檔案的變更" },
		keys: "mod+shift+g",
		slash: { name: "changes", argument: "none" },
		when: hasConversation,
		run(context) {
			const { actions, state, ui, by } = context;
			inConversation(context, "changes", () => {
				const close = by !== "slash" && state.panel === "review";
				if (!close) ui.set({ review: undefined });
				actions.show({ panel: close ? undefined : "review" });
			});
		},
	},
	{
		id: "files",
		words: { en: "Files of the working directory", "zh-Hant": "工作目錄的檔案" },
		slash: { name: "files", argument: "optional", usage: { en: "or a path", "zh-Hant": "或路徑" } },
		when: hasConversation,
		run(context) {
			const { actions, state, ui, by, argument } = context;
			inConversation(context, "files", () => {
				const close = by !== "slash" && state.panel === "files";
				if (!close) ui.set({ file: argument === "" ? undefined : argument });
				actions.show({ panel: close ? undefined : "files" });
			});
		},
	},
	{
		id: "setup",
		words: { en: "Set-up of the agent, and trust", "zh-Hant": "代理的設定來源與信任" },
		slash: { name: "setup", argument: "none" },
		when: hasConversation,
		run: (context) => inConversation(context, "setup", () => context.actions.show({ panel: "setup" })),
	},
	{
		id: "undo",
		words: { en: "Undo the newest change of files", "zh-Hant": "復原最新的檔案變更" },
		slash: { name: "undo", argument: "none" },
		when: hasConversation,
		run(context) {
			inConversation(context, "undo", () => {
				context.ui.set({ undoNewest: true });
				context.actions.show({ panel: "review" });
			});
		},
	},
	{
		id: "model",
		words: { en: "Choose the model", "zh-Hant": "選擇模型" },
		keys: "mod+shift+m",
		slash: { name: "model", argument: "optional", usage: { en: "or name it", "zh-Hant": "或直接寫名稱" } },
		run: chooseModel,
	},
	setting("mode", { en: "How the agent works: agent, plan or autopilot", "zh-Hant": "代理怎麼做事：agent、plan 或 autopilot" }),
	setting("effort", { en: "How hard the model thinks", "zh-Hant": "模型思考的程度" }),
	{
		id: "cwd",
		words: { en: "Work in another directory", "zh-Hant": "換到另一個工作目錄" },
		slash: { name: "cwd", argument: "required" },
		when: hasConversation,
		run(context) {
			const { actions, argument: cwd, t } = context;
			inConversation(context, "cwd", (id) => sayWhenDone(context, actions.updateConversation(id, { cwd }), t("cwdChanged", { cwd })));
		},
	},
	{
		id: "export",
		words: { en: "Export this conversation as Markdown", "zh-Hant": "將這個對話匯出為 Markdown" },
		slash: { name: "export", argument: "optional", usage: { en: "or json", "zh-Hant": "或 json" } },
		when: hasConversation,
		run(context) {
			const format = context.argument === "json" ? "json" : "markdown";
			inConversation(context, "export", (id) => window.location.assign(api.exportUrl(id, format)));
		},
	},
	{
		id: "share",
		words: { en: "Share this conversation", "zh-Hant": "分享這個對話" },
		slash: { name: "share", argument: "none" },
		when: hasConversation,
		run: (context) => inConversation(context, "share", () => context.ui.set({ dialog: "share" })),
	},
	aboutContext("context", "context", { en: "What fills the context", "zh-Hant": "上下文的內容" }),
	aboutContext("compact", "compact", { en: "Compact the context now", "zh-Hant": "立即摘要上下文" }),
	aboutContext("aside", "btw", { en: "Ask a side question, kept nowhere", "zh-Hant": "旁問，不留紀錄" }, "optional"),
	{
		id: "clear-context",
		words: { en: "Leave out the shell results waiting for the next prompt", "zh-Hant": "不附上等待下一個提示的 shell 結果" },
		slash: { name: "clear-context", argument: "none" },
		when: hasConversation,
		run(context) {
			const { actions, state, t } = context;
			inConversation(context, "clear-context", (id) => {
				for (const item of state.views[id]?.context ?? []) actions.dropContext(id, item.messageId);
				actions.toast({ kind: "info", text: t("contextCleared") });
			});
		},
	},
	{
		id: "restart-shell",
		words: { en: "Reset the shell: variables, aliases and directory", "zh-Hant": "清除 shell 的變數、別名與目錄" },
		slash: { name: "restart-shell", argument: "none" },
		when: hasConversation,
		run(context) {
			const { actions, t } = context;
			inConversation(context, "restart-shell", (conversationId) => {
				if (actions.send({ type: "bash:restart", data: { conversationId } })) actions.toast({ kind: "info", text: t("shellRestarted") });
			});
		},
	},
	{
		id: "permissions",
		words: { en: "Ask before acting, or approve automatically", "zh-Hant": "動作前先詢問，或自動核准" },
		slash: { name: "permissions", argument: "optional", usage: { en: "ask or auto", "zh-Hant": "ask 或 auto" } },
		when: hasConversation,
		run: (context) => inConversation(context, "permissions", (id) => changePermissions(context, id)),
	},
	{
		id: "budget",
		words: { en: "Usage and limit of this conversation", "zh-Hant": "這個對話的用量與上限" },
		slash: { name: "budget", argument: "none" },
		when: hasConversation,
		run(context) {
			inConversation(context, "budget", (id) => {
				context.ui.set({ settingsSection: "usage", budgetOf: id });
				context.actions.show({ settingsOpen: true });
			});
		},
	},
	{
		id: "rename",
		words: { en: "Give this conversation a name", "zh-Hant": "為這個對話命名" },
		slash: { name: "rename", argument: "required" },
		when: hasConversation,
		run: (context) => inConversation(context, "rename", (id) => void context.actions.renameConversation(id, context.argument)),
	},
	{
		id: "pin",
		words: { en: "Pin or unpin this conversation", "zh-Hant": "釘選或取消釘選這個對話" },
		slash: { name: "pin", argument: "none" },
		when: hasConversation,
		run(context) {
			const { actions, state } = context;
			inConversation(context, "pin", (id) => void actions.pinConversation(id, state.conversations[id]?.pinned !== true));
		},
	},
	{
		id: "archive",
		words: { en: "Move this conversation to the archive", "zh-Hant": "把這個對話移到封存" },
		slash: { name: "archive", argument: "none" },
		when: (state) => hasConversation(state) && state.conversations[state.openId ?? ""]?.archived !== true,
		run(context) {
			const { actions, t } = context;
			inConversation(context, "archive", (id) => sayWhenDone(context, actions.archiveConversation(id, true), t("archived")));
		},
	},
] as const satisfies readonly Command[];

/** Of the conversation on screen, or of the one that the next prompt begins. */
function setting<Id extends "mode" | "effort">(id: Id, words: Text) {
	const run = ({ ui, actions, argument, conversationId }: CommandContext) =>
		conversationId === undefined
			? ui.set({ newSetting: { ...ui.newSetting, [id]: argument } })
			: void actions.updateConversation(conversationId, { [id]: argument });
	return { id, words, slash: { name: id, argument: "required" as const }, run };
}

function aboutContext<Id extends string>(id: Id, name: string, words: Text, argument: "none" | "optional" = "none") {
	const run = (context: CommandContext) =>
		inConversation(context, name, () => context.ui.set({ context: `${name} ${context.argument}`.trim() }));
	return { id, words, slash: { name, argument }, when: hasConversation, run };
}

function hasConversation(state: AppState): boolean {
	return openConversationId(state) !== undefined;
}

/** Whoever typed the command is told why nothing happens; keys without a meaning stay silent. */
function inConversation(context: CommandContext, name: string, run: (id: string) => void): void {
	if (context.conversationId !== undefined) run(context.conversationId);
	else if (context.by === "slash") context.actions.toast({ kind: "error", text: context.t("noConversation", { name }) });
}

function chooseModel({ state, ui, actions, events, argument, conversationId, t }: CommandContext): void {
	if (argument === "") {
		events.chooseModel.emit();
		return;
	}
	const wanted = argument.toLowerCase();
	const model = openModels(state)?.models.find(({ id, name }) => id.toLowerCase() === wanted || name.toLowerCase() === wanted);
	if (model === undefined) actions.toast({ kind: "error", text: t("unknownModel", { name: argument }) });
	else if (conversationId === undefined) ui.set({ newModel: model.id });
	else void actions.updateConversation(conversationId, { model: model.id });
}

function changePermissions(context: CommandContext, id: string): void {
	const { state, actions, argument, t } = context;
	if (argument !== "" && argument !== "auto" && argument !== "ask") {
		actions.toast({ kind: "error", text: t("unknownValue", { name: "permissions", values: "auto, ask" }) });
		return;
	}
	const permissions = argument !== "" ? argument : state.conversations[id]?.permissions === "ask" ? "auto" : "ask";
	sayWhenDone(context, actions.updateConversation(id, { permissions }), t(permissions === "auto" ? "permissionsAuto" : "permissionsAsk"));
}

/** A failure has its own toast already. */
function sayWhenDone({ actions }: CommandContext, work: Promise<boolean>, text: string): void {
	void work.then((worked) => worked && actions.toast({ kind: "info", text }));
}
