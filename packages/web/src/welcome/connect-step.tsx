import { AgentNeeds } from "../agent/agent-needs.tsx";
import { useAgents } from "../agent/use-agents.ts";
import { useWords } from "../i18n/use-words.tsx";
import { AccountForm } from "../settings/account-form.tsx";
import { COPILOT } from "../state/agent.ts";
import { useUiSet } from "../state/ui-slice.tsx";
import { useActions } from "../state/use-page.tsx";
import { Button } from "../ui/button.tsx";
import { welcomeWords } from "./welcome-messages.ts";

/** A model for Copilot; every other agent has an account of its own and is logged in with its own command. */
export function ConnectStep() {
	const t = useWords(welcomeWords);
	const agents = useAgents();
	const setUi = useUiSet();
	const { show } = useActions();
	if (agents === undefined) return <p className="text-muted text-sm">{t("loading")}</p>;
	const agent = agents.agents.find(({ id }) => id === agents.default);
	if (agent === undefined || agent.id === COPILOT) return <AccountForm />;
	const { name, loginCommand } = agent;
	const needs = agent.state === "missing" || agent.state === "login-needed";
	return (
		<div className="grid grid-cols-1 gap-3 text-sm">
			<p>{t("connect.own", { name })}</p>
			{needs && (
				<div className="overflow-hidden rounded-lg border">
					<AgentNeeds agent={agent} onLogin={() => undefined} />
				</div>
			)}
			{!needs && loginCommand !== undefined && (
				<div className="flex flex-wrap items-center gap-2">
					<Button
						onClick={() => {
							setUi({ terminalText: loginCommand });
							show({ panel: "terminal" });
						}}
					>
						{t("connect.terminal")}
					</Button>
					<code className="wrap-anywhere text-[13px]">{loginCommand}</code>
				</div>
			)}
			{!needs && loginCommand === undefined && <p className="text-muted">{t("connect.unknown", { name })}</p>}
		</div>
	);
}
