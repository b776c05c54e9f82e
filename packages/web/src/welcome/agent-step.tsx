import { allAgentsAnswer } from "@rightseat/protocol/http/agents";
import { useState } from "react";
import { useAgents } from "../agent/use-agents.ts";
import { requestJson } from "../api/request.ts";
import { useWords } from "../i18n/use-words.tsx";
import { AgentRadios } from "../settings/agent-part.tsx";
import { useLoad } from "../settings/use-load.ts";
import { useActions } from "../state/use-page.tsx";
import { Button } from "../ui/button.tsx";
import { CopyButton } from "../ui/copy-button.tsx";
import { welcomeWords } from "./welcome-messages.ts";

/** The agents that were found on this machine, and how to get another one. */
export function AgentStep() {
	const t = useWords(welcomeWords);
	const agents = useAgents();
	const { loadAgents } = useActions();
	const [looking, setLooking] = useState(false);
	const { loaded, reload } = useLoad(() => requestJson("/api/agents", allAgentsAnswer));
	const all = (loaded.kind === "ready" && loaded.value.installable) || [];
	// One may have been found since.
	const installable = all.filter(({ id }) => agents?.agents.every((agent) => agent.id !== id));
	const lookAgain = async () => {
		setLooking(true);
		await Promise.all([loadAgents(), reload()]);
		setLooking(false);
	};
	if (agents === undefined) return <p className="text-muted text-sm">{t("loading")}</p>;
	return (
		<div className="grid grid-cols-1 gap-3 text-sm">
			<AgentRadios brief agents={agents} />
			{agents.agents.length === 1 && <p className="text-muted">{t("agent.alone")}</p>}
			{installable.length > 0 && (
				<details>
					<summary className="cursor-pointer text-accent underline">{t("agent.install")}</summary>
					<p className="pt-2 text-muted text-xs">{t("agent.installHint")}</p>
					<ul aria-label={t("agent.install")} className="grid grid-cols-1 gap-1.5 pt-2">
						{installable.map(({ id, name, installCommand }) => (
							<li key={id} className="min-w-0">
								<span className="text-xs">{name}</span>
								<Command text={installCommand} />
							</li>
						))}
					</ul>
					<Button small className="mt-3" disabled={looking} onClick={() => void lookAgain()}>
						{t("agent.lookAgain")}
					</Button>
				</details>
			)}
		</div>
	);
}

/** A line for a terminal, to copy. */
export function Command({ text }: { text: string }) {
	return (
		<div className="flex items-center rounded-lg border bg-code py-0.5 pr-1 pl-3">
			<code className="min-w-0 flex-1 wrap-anywhere text-[13px]">{text}</code>
			<CopyButton text={() => text} />
		</div>
	);
}
