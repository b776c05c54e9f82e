import type { Agent } from "@rightseat/protocol/http/agents";
import { useState } from "react";
import { useWords } from "../i18n/use-words.tsx";
import { useUiSet } from "../state/ui-slice.tsx";
import { useActions } from "../state/use-page.tsx";
import { Button } from "../ui/button.tsx";
import { CopyButton } from "../ui/copy-button.tsx";
import { agentWords } from "./agent-messages.ts";

/** What a person has to do before this agent can work: a command to install it, or a login in the terminal. Nothing of it is run by the page. */
export function AgentNeeds({ agent, onLogin }: { agent: Agent; onLogin: () => void }) {
	const t = useWords(agentWords);
	const { loadAgents, show } = useActions();
	const setUi = useUiSet();
	const [looking, setLooking] = useState(false);
	const { installCommand, loginCommand } = agent;
	if (agent.state === "login-needed" && loginCommand !== undefined) {
		const logIn = () => {
			setUi({ terminalText: loginCommand, dialog: undefined });
			show({ panel: "terminal", settingsOpen: false });
			onLogin();
		};
		return (
			<div className="flex flex-wrap items-center gap-2 border-t bg-sunken px-3 py-2.5 text-muted text-xs">
				<Button small kind="primary" onClick={logIn}>
					{t("login")}
				</Button>
				<span className="min-w-0 flex-1">
					<code className="block wrap-anywhere text-ink">{loginCommand}</code>
					{t("loginHint")}
				</span>
			</div>
		);
	}
	if (agent.state !== "missing" && agent.state !== "login-needed") return null;
	return (
		<div role="status" className="border-t bg-sunken px-3 py-2.5 text-muted text-xs">
			{installCommand === undefined ? agent.message : t("install")}
			{installCommand !== undefined && (
				<span className="flex items-center gap-1">
					<code className="min-w-0 flex-1 wrap-anywhere text-ink">{installCommand}</code>
					<CopyButton label={t("copyCommand")} text={() => installCommand} />
				</span>
			)}
			<Button
				small
				className="mt-1.5"
				disabled={looking}
				onClick={() => {
					setLooking(true);
					void loadAgents().finally(() => setLooking(false));
				}}
			>
				{t("lookAgain")}
			</Button>
		</div>
	);
}
