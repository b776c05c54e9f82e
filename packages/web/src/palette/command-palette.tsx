import { Command } from "cmdk";
import { type ReactNode, useState } from "react";
import { isMac, shortcutLabel } from "../commands/shortcuts.ts";
import { useAvailableCommands, useRunCommand } from "../commands/use-commands.ts";
import { useLanguage, useWords } from "../i18n/use-words.tsx";
import { useModels } from "../model/model-picker.tsx";
import { useModelName } from "../model/use-model-name.ts";
import { COPILOT, openAgent } from "../state/agent.ts";
import { useActions, useApp } from "../state/use-page.tsx";
import { Dialog } from "../ui/dialog.tsx";
import { paletteWords } from "./palette-messages.ts";
import { paletteRows, paletteScore } from "./palette-rows.ts";

const MAX_LISTED = 200;

/** One box that finds every command and every conversation. */
export function CommandPalette() {
	const t = useWords(paletteWords);
	const rows = paletteRows(useAvailableCommands(), useLanguage());
	const { show, openConversation, updateConversation } = useActions();
	const runCommand = useRunCommand();
	const openId = useApp((state) => state.openId);
	const conversations = useApp((state) => state.conversations);
	const models = useModels(useApp((state) => openAgent(state) ?? COPILOT));
	const nameOf = useModelName();
	const [query, setQuery] = useState("");
	const close = () => show({ paletteOpen: false });

	/** Closes first: what runs may open another window or move the focus. */
	const run = (action: () => void) => () => {
		close();
		setTimeout(action, 0);
	};
	const newest = Object.values(conversations)
		.toSorted((a, b) => Date.parse(b.updatedAt) - Date.parse(a.updatedAt))
		.slice(0, MAX_LISTED);
	return (
		<Dialog open onClose={close} title={t("palette")} hideTitle className="dialog-top">
			<Command
				label={t("palette")}
				loop
				vimBindings={false}
				filter={(value, search, also) => paletteScore(value.slice(value.indexOf(" ") + 1), search, also)}
			>
				<Command.Input
					data-first-focus
					value={query}
					onValueChange={setQuery}
					placeholder={t("placeholder")}
					className="h-13 w-full border-b bg-transparent px-5 outline-none placeholder:text-muted"
				/>
				<Command.List className="max-h-[min(56dvh,420px)] overflow-y-auto overscroll-contain p-2">
					<Command.Empty className="px-3 py-6 text-center text-muted text-sm">{t("nothing")}</Command.Empty>
					<Group heading={t("actions")}>
						{rows.map(({ id, argument, title, also, keys }) => (
							<Item
								key={`${id}:${argument}`}
								value={`do:${id}:${argument} ${title}`}
								also={also}
								onSelect={run(() => runCommand(id, { by: "palette", argument }))}
								hint={keys === undefined ? undefined : shortcutLabel(keys, isMac())}
							>
								{title}
							</Item>
						))}
					</Group>
					<Group heading={t("conversations")}>
						{newest.map((conversation) => (
							<Item
								key={conversation.id}
								value={`conversation:${conversation.id} ${conversation.title}`}
								onSelect={run(() => openConversation(conversation.id))}
								hint={conversation.cwd.split("/").at(-1)}
							>
								{conversation.title}
							</Item>
						))}
					</Group>
					{openId !== undefined && (
						<Group heading={t("models")}>
							{(models?.models ?? []).map((model) => (
								<Item
									key={model.id}
									value={`model:${model.id} ${nameOf(model)}`}
									onSelect={run(() => void updateConversation(openId, { model: model.id }))}
								>
									{nameOf(model)}
								</Item>
							))}
						</Group>
					)}
					{query.trim() !== "" && (
						<Item value={`search ${query}`} onSelect={run(() => runCommand("search", { by: "palette", argument: query.trim() }))}>
							{t("searchFor", { query: query.trim() })}
						</Item>
					)}
				</Command.List>
			</Command>
		</Dialog>
	);
}

function Group({ heading, children }: { heading: string; children: ReactNode }) {
	return (
		<Command.Group
			heading={heading}
			className="[&_[cmdk-group-heading]]:px-3 [&_[cmdk-group-heading]]:pt-2 [&_[cmdk-group-heading]]:pb-1 [&_[cmdk-group-heading]]:text-muted [&_[cmdk-group-heading]]:text-xs"
		>
			{children}
		</Command.Group>
	);
}

/** What stands before the first space of its value only keeps it unique. */
function Item(props: { value: string; also?: readonly string[]; onSelect: () => void; hint?: string | undefined; children: ReactNode }) {
	return (
		<Command.Item
			value={props.value}
			keywords={[...(props.also ?? [])]}
			onSelect={props.onSelect}
			className="flex min-h-10 cursor-pointer items-center gap-3 rounded-lg px-3 text-sm data-[selected=true]:bg-hover"
		>
			<span className="min-w-0 flex-1 truncate">{props.children}</span>
			{props.hint !== undefined && <span className="shrink-0 truncate text-muted text-xs pointer-coarse:hidden">{props.hint}</span>}
		</Command.Item>
	);
}
