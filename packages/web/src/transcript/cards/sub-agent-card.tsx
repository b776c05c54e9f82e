import { formatDuration } from "@rightseat/protocol/duration";
import type { SubAgent } from "@rightseat/protocol/model/sub-agent";
import type { ToolRecord } from "@rightseat/protocol/model/turn";
import { Bot, ChevronRight, CircleStop } from "lucide-react";
import { useState } from "react";
import { commonWords } from "../../i18n/common-messages.ts";
import { DURATION_UNITS } from "../../i18n/duration-units.ts";
import { useLanguage, useWords } from "../../i18n/use-words.tsx";
import { defineWords } from "../../i18n/words.ts";
import { Markdown } from "../../markdown/markdown.tsx";
import { useActions } from "../../state/use-page.tsx";
import { IconButton } from "../../ui/icon-button.tsx";
import { Visible } from "../../ui/visible.tsx";
import { ToolCard } from "./tool-card.tsx";

const subAgentWords = defineWords(
	{
		subAgent: "Sub-agent",
		started: "working",
		completed: "finished",
		failed: "failed",
		cancelled: "stopped",
		tokens: "{count} token || {count} tokens",
		cut: "The beginning is not shown.",
		stop: "Stop sub-agent {name}",
	},
	{
		subAgent: "子代理",
		started: "進行中",
		completed: "已完成",
		failed: "失敗",
		cancelled: "已停止",
		tokens: "{count} 個 token",
		cut: "開頭部分未顯示。",
		stop: "停止子代理 {name}",
	},
);

export interface SubAgentCardProps {
	conversationId: string;
	messageId: string;
	agent: SubAgent;
	/** All of the turn. */
	tools: readonly ToolRecord[];
	live: boolean;
	cwd: string;
}

/** One that works for the agent: what it is and its last line; its own words and calls inside. */
export function SubAgentCard(props: SubAgentCardProps) {
	const { agent, tools, ...place } = props;
	const t = useWords(subAgentWords);
	const language = useLanguage();
	const [open, setOpen] = useState(false);
	const state = agent.cancelled === true ? "cancelled" : agent.state;
	const facts = [
		agent.model,
		agent.tokens === undefined ? undefined : t("tokens", { count: agent.tokens }),
		agent.durationMs === undefined ? undefined : formatDuration(agent.durationMs, DURATION_UNITS[language]),
		t(state),
	].filter((fact) => fact !== undefined && fact !== "");
	return (
		<div className="tool ms-4 flex items-start gap-1">
			<details className="min-w-0 flex-1" open={open} onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
				<summary>
					<ChevronRight size={15} className="fold-mark" aria-hidden />
					<Bot size={15} className="tool-icon" aria-hidden />
					<span className="tool-name">
						<Visible text={agent.name || t("subAgent")} />
					</span>
					<span className="tool-detail">
						<Visible text={agent.error ?? lastLine(agent)} />
					</span>
					<span className={state === "failed" ? "tool-state text-danger" : "tool-state"}>{facts.join(" · ")}</span>
				</summary>
				{open && (
					<div className="tool-body">
						{agent.truncated === true && <p className="text-muted text-sm">{t("cut")}</p>}
						{agent.parts.map((part, index) => {
							if (part.kind === "text")
								return <Markdown key={part.messageId} text={part.content} growing={place.live && index === agent.parts.length - 1} />;
							const tool = tools.findLast(({ toolCallId, agentId }) => toolCallId === part.toolCallId && agentId === agent.agentId);
							return tool === undefined ? null : <ToolCard key={part.toolCallId} {...place} tool={tool} />;
						})}
					</div>
				)}
			</details>
			{/* Outside: a button within the line would fold it. */}
			{place.live && agent.state === "started" && <StopButton conversationId={place.conversationId} agent={agent} />}
		</div>
	);
}

function StopButton({ conversationId, agent: { agentId, name } }: { conversationId: string; agent: SubAgent }) {
	const t = useWords(subAgentWords);
	const common = useWords(commonWords);
	const { send, toast } = useActions();
	function stop() {
		if (send({ type: "copilot:subagent_stop", data: { conversationId, agentId } })) return;
		toast({ kind: "error", text: common("notConnected") });
	}
	return <IconButton className="mt-px" label={t("stop", { name })} icon={<CircleStop size={15} aria-hidden />} onClick={stop} />;
}

function lastLine({ parts }: SubAgent): string {
	const said = parts.findLast((part) => part.kind === "text");
	const lines = said?.kind === "text" ? said.content.trimEnd().split("\n") : [];
	return (lines.at(-1) ?? "").slice(0, 300);
}
