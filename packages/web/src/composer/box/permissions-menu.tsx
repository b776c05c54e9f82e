import { ShieldCheck, ShieldQuestion } from "lucide-react";
import { useWords } from "../../i18n/use-words.tsx";
import { useActions, useApp } from "../../state/use-page.tsx";
import { IconButton } from "../../ui/icon-button.tsx";
import { Menu, MenuChoices, MenuLabel } from "../../ui/menu.tsx";
import { composerWords } from "../composer-messages.ts";

/** Whether the agent asks before it acts, in the conversation on screen. */
export function PermissionsMenu() {
	const t = useWords(composerWords);
	const { updateConversation } = useActions();
	const conversation = useApp((state) => (state.openId === undefined ? undefined : state.conversations[state.openId]));
	if (conversation === undefined) return null;
	const asks = conversation.permissions === "ask";
	const choice = (label: string, hint: string) => (
		<span className="block py-1.5">
			<span className="block">{label}</span>
			<span className="block text-muted text-xs">{hint}</span>
		</span>
	);
	return (
		<Menu
			align="start"
			trigger={
				<IconButton
					label={`${t("permissions")}: ${t(asks ? "permissionsAskLabel" : "permissionsAutoLabel")}`}
					icon={asks ? <ShieldQuestion size={18} className="text-accent" /> : <ShieldCheck size={18} />}
				/>
			}
		>
			<MenuLabel>{t("permissions")}</MenuLabel>
			<MenuChoices
				value={conversation.permissions}
				onChange={(permissions) => void updateConversation(conversation.id, { permissions })}
				choices={[
					{ value: "auto", label: choice(t("permissionsAutoLabel"), t("permissionsAutoHint")) },
					{ value: "ask", label: choice(t("permissionsAskLabel"), t("permissionsAskHint")) },
				]}
			/>
		</Menu>
	);
}
