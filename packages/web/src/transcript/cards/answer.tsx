import type { AssistantMessage, UserMessage } from "@rightseat/protocol/model/message";
import type { SubAgent } from "@rightseat/protocol/model/sub-agent";
import type { RunningTurn, ToolRecord, TurnAsk, TurnPart } from "@rightseat/protocol/model/turn";
import { Fragment, memo } from "react";
import { useWords } from "../../i18n/use-words.tsx";
import { Markdown } from "../../markdown/markdown.tsx";
import { useApp } from "../../state/use-page.tsx";
import { useLazy } from "../../ui/use-lazy.ts";
import { transcriptWords } from "../transcript-messages.ts";
import { useWholeMessage } from "../whole/use-whole-message.ts";
import { wholeWords } from "../whole/whole-messages.ts";
import { WholeNote } from "../whole/whole-note.tsx";
import { AnswerFooter } from "./answer-footer.tsx";
import { AnswerNotices } from "./answer-notices.tsx";
import { ChangesLine } from "./changes-line.tsx";
import type { PlanProps } from "./plan.tsx";
import { Reasoning } from "./reasoning.tsx";
import { SettledNote } from "./settled-note.tsx";
import { SteeredPrompt } from "./steered-prompt.tsx";
import type { SubAgentCardProps } from "./sub-agent-card.tsx";
import { ToolCard } from "./tool-card.tsx";
import { TurnEnding } from "./turn-ending.tsx";
import { TurnStatus } from "./turn-status.tsx";

export interface AnswerProps {
	conversationId: string;
	/** A running turn, or the message it became: the same component, so that nothing folds or flickers at the end. */
	of: { kind: "turn"; turn: RunningTurn } | { kind: "message"; message: AssistantMessage };
	/** Prompts that were steered into this turn. */
	steered: readonly UserMessage[];
	/** Continue and Retry make sense on the newest answer only. */
	newest: boolean;
}

export const Answer = memo(function Answer({ conversationId, of, steered, newest }: AnswerProps) {
	const t = useWords(transcriptWords);
	const stored = useWholeMessage(conversationId, of.kind === "message" ? of.message : undefined);
	const { message, note } = stored;
	const { messageId, parts, tools, plan, subAgents = [], asks = [] } = of.kind === "turn" ? of.turn : contentsOf(message ?? of.message);
	return (
		<article aria-label={t("assistant")} aria-busy={of.kind === "turn"}>
			{of.kind === "turn" && <CutTurnNote turn={of.turn} />}
			<Parts {...{ conversationId, messageId, parts, tools, subAgents, asks, steered }} live={of.kind === "turn"} />
			{plan !== undefined && plan.length > 0 && <AgentPlan entries={plan} live={of.kind === "turn"} />}
			{note !== undefined && <WholeNote {...note} />}
			{of.kind === "turn" && <TurnStatus turn={of.turn} conversationId={conversationId} />}
			{message !== undefined && (
				<>
					<AnswerNotices notices={message.metadata.notices} />
					<ChangesLine changes={message.metadata.changes} />
					<TurnEnding conversationId={conversationId} message={message} newest={newest} />
					<AnswerFooter conversationId={conversationId} message={message} partial={note !== undefined} />
				</>
			)}
		</article>
	);
});

function contentsOf(message: AssistantMessage): Pick<RunningTurn, "messageId" | "parts" | "tools" | "asks" | "plan" | "subAgents"> {
	const { parts, tools, asks, plan, subAgents } = message.metadata;
	return {
		messageId: message.id,
		parts: parts.length === 0 && message.content !== "" ? [textOf(message)] : parts,
		tools,
		asks,
		plan,
		subAgents,
	};
}

const loadPlan = () => import("./plan.tsx");

/** Few agents make plans: the code comes with the first one. */
function AgentPlan(props: PlanProps) {
	const code = useLazy(loadPlan, "idle");
	return code === undefined ? null : <code.Plan {...props} />;
}

const loadSubAgent = () => import("./sub-agent-card.tsx");

/** The same holds for those that work for it. */
function AgentCard(props: SubAgentCardProps) {
	const code = useLazy(loadSubAgent, "idle");
	return code === undefined ? null : <code.SubAgentCard {...props} />;
}

/** Started by this call, or by a call of one that was. */
function isBelow({ toolCallId }: Pick<SubAgent, "toolCallId">, id: string, tools: readonly ToolRecord[], depth = 0): boolean {
	if (toolCallId === id) return true;
	const parent = tools.findLast((tool) => tool.toolCallId === toolCallId)?.parentToolCallId;
	return parent !== undefined && depth < 8 && isBelow({ toolCallId: parent }, id, tools, depth + 1);
}

/** What a snapshot left out of a running turn is not stored as a message yet. */
function CutTurnNote({ turn }: { turn: RunningTurn }) {
	const t = useWords(wholeWords);
	const cut = turn.truncated !== undefined || turn.parts.some((part) => "truncated" in part && part.truncated !== undefined);
	return cut ? <p className="whole-note">{t("partWhileRunning")}</p> : null;
}

function Parts(props: {
	conversationId: string;
	messageId: string;
	live: boolean;
	parts: readonly TurnPart[];
	tools: readonly ToolRecord[];
	subAgents: readonly SubAgent[];
	asks?: readonly TurnAsk[];
	steered: readonly UserMessage[];
}) {
	const { conversationId, messageId, live, parts, tools, subAgents, asks = [], steered } = props;
	const cwd = useApp((state) => state.conversations[conversationId]?.cwd ?? "");
	return (
		<>
			{groups(parts, asks).map((group) =>
				group.kind === "note" ? (
					<SettledNote key={group.key} request={group.request} />
				) : group.kind === "tools" ? (
					<div key={group.key} className="tools">
						{group.ids.map((id) => {
							const tool = tools.find((record) => record.toolCallId === id);
							// A sub-agent's calls are inside its own card.
							if (
								tool === undefined ||
								subAgents.some((agent) => agent.agentId === tool.agentId && tools.some((call) => call.toolCallId === agent.toolCallId))
							)
								return null;
							const own = subAgents.filter((agent) => isBelow(agent, id, tools));
							return (
								<Fragment key={id}>
									<ToolCard {...{ conversationId, messageId, tool, live, cwd }} />
									{own.map((agent) => (
										<AgentCard key={agent.agentId} {...{ conversationId, messageId, agent, tools, live, cwd }} />
									))}
								</Fragment>
							);
						})}
					</div>
				) : (
					<Part key={group.key} {...{ conversationId, steered }} part={group.part} growing={live && group.last} />
				),
			)}
		</>
	);
}

function Part({
	conversationId,
	part,
	growing,
	steered,
}: {
	conversationId: string;
	part: Exclude<TurnPart, { kind: "tool" }>;
	growing: boolean;
	steered: readonly UserMessage[];
}) {
	switch (part.kind) {
		case "text":
			return <Markdown text={part.content} growing={growing} />;
		case "reasoning":
			return part.content === "" ? null : <Reasoning content={part.content} durationMs={part.durationMs} growing={growing} />;
		case "steer": {
			const message = steered.find((candidate) => candidate.id === part.messageId);
			return message === undefined ? null : <SteeredPrompt conversationId={conversationId} message={message} />;
		}
		default:
			return part;
	}
}

type Group =
	| { kind: "part"; key: string; part: Exclude<TurnPart, { kind: "tool" }>; last: boolean }
	| { kind: "tools"; key: string; ids: ToolRecord["toolCallId"][] }
	| { kind: "note"; key: string; request: TurnAsk };

/** Tool calls in a row stand together; how a request ended stands where it was asked. */
function groups(parts: readonly TurnPart[], asks: readonly TurnAsk[]): Group[] {
	const result: Group[] = [];
	const notesAt = (index: number) => {
		for (const request of asks)
			if (request.afterParts === index && isNews(request)) result.push({ kind: "note", key: request.requestId, request });
	};
	parts.forEach((part, index) => {
		notesAt(index);
		const before = result.at(-1);
		if (part.kind !== "tool") {
			result.push({ kind: "part", key: `${part.kind}-${index}`, part, last: index === parts.length - 1 });
		} else if (before?.kind === "tools") before.ids.push(part.toolCallId);
		else result.push({ kind: "tools", key: `tools-${index}`, ids: [part.toolCallId] });
	});
	notesAt(parts.length);
	return result;
}

/** What waits has a card of its own; what a person answered here is in the card of the question already. */
function isNews(request: TurnAsk): boolean {
	if (request.outcome === undefined) return false;
	return request.kind === "permission" || request.kind === "plan" || request.outcome !== "answered" || request.by !== "web";
}

function textOf(message: AssistantMessage): TurnPart {
	return { kind: "text", messageId: message.id, content: message.content };
}
