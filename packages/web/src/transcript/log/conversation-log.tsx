import type { Message, UserMessage } from "@rightseat/protocol/model/message";
import { ArrowDown } from "lucide-react";
import { useEffect, useMemo, useRef, useState } from "react";
import { type ConversationView, emptyView } from "../../conversation/conversation-view.ts";
import { useWords } from "../../i18n/use-words.tsx";
import { useActions, useApp } from "../../state/use-page.tsx";
import { useSettling } from "../../ui/use-settling.ts";
import { AwayCard } from "../away/away-card.tsx";
import { BudgetCards } from "../cards/budget-cards.tsx";
import { FormCards } from "../cards/form-cards.tsx";
import { PermissionCard } from "../cards/permission-card.tsx";
import { PlanCards } from "../cards/plan-cards.tsx";
import { QuestionCard } from "../cards/question-card.tsx";
import { placeWords } from "../place-messages.ts";
import { transcriptWords } from "../transcript-messages.ts";
import { createWholeMemories, WholeContext } from "../whole/whole-memory.ts";
import { Announcer } from "./announcer.tsx";
import { EmptyState } from "./empty-state.tsx";
import { Row } from "./row.tsx";
import { storedItems, transcriptItems } from "./transcript-items.ts";
import { useReveal } from "./use-reveal.ts";
import { useScrollWindow } from "./use-scroll-window.ts";
import "../cards/cards.css";
import { useFileNames } from "./use-file-names.ts";

/** The rows near the end are always laid out: guessing their height would make the end of the list jump. */
const ALWAYS_LAID_OUT = 8;
const NO_MESSAGES: readonly UserMessage[] = [];

export function ConversationLog({ conversationId }: { conversationId: string }) {
	useFileNames();
	const t = useWords(transcriptWords);
	const place = useWords(placeWords);
	const view = useApp((state) => state.views[conversationId]) ?? emptyView(conversationId);
	const outbox = useApp((state) => state.outbox);
	const loadingOlder = useApp((state) => state.loadingOlder[conversationId] === true);
	const { loadOlder } = useActions();
	const stored = useMemo(() => storedItems(view.messages), [view.messages]);
	const items = useMemo(() => transcriptItems(stored, view, outbox), [stored, view, outbox]);
	const isSettling = useSettling(asksIn(view));
	const steered = useMemo(() => steeredOf(view.messages), [view.messages]);
	const [wholes] = useState(createWholeMemories);
	const window = useScrollWindow(items, () => void loadOlder(conversationId));
	useReveal(conversationId, window.reveal);

	const mine = outbox.filter((item) => item.conversationId === conversationId).length;
	const before = useRef(mine);
	const follow = window.follow;
	useEffect(() => {
		// Whoever sends something wants to see what becomes of it.
		if (mine > before.current) follow();
		before.current = mine;
	}, [mine, follow]);

	const newestKey = items.findLast((item) => item.kind === "answer" || item.kind === "turn")?.key;
	const lastAnswerIsLast = items.findLast((item) => item.kind !== "shell" && item.kind !== "command")?.key === newestKey;
	return (
		<>
			<AwayCard conversationId={conversationId} view={view} reveal={window.reveal} />
			<div className="relative min-h-0 flex-1">
				<div
					ref={window.scroller}
					className="log"
					role="log"
					aria-label={place("conversation")}
					aria-live="off"
					// biome-ignore lint/a11y/noNoninteractiveTabindex: a box that scrolls must be reachable by keyboard.
					tabIndex={0}
					onScroll={window.onScroll}
				>
					<div ref={window.content} className="log-content" data-settling={isSettling || undefined}>
						{window.range.start === 0 && view.olderCursor !== undefined && (
							<button type="button" className="more mx-auto" onClick={() => void loadOlder(conversationId)}>
								{loadingOlder ? t("loadingOlder") : t("loadOlder")}
							</button>
						)}
						<WholeContext value={wholes}>
							{items.slice(window.range.start, window.range.end).map((item, index) => (
								<div
									key={item.key}
									data-key={item.key}
									className={window.range.start + index < items.length - ALWAYS_LAID_OUT ? "row row-far" : "row"}
								>
									<Row conversationId={conversationId} item={item} steered={steered} newest={lastAnswerIsLast && item.key === newestKey} />
								</div>
							))}
						</WholeContext>
						{items.length === 0 && <EmptyState inside />}
						{view.questions.map((question) => (
							<QuestionCard key={question.requestId} conversationId={conversationId} question={question} />
						))}
						{view.permissions.map((request) => (
							<PermissionCard key={request.requestId} conversationId={conversationId} request={request} />
						))}
						<PlanCards conversationId={conversationId} requests={view.plans} />
						<BudgetCards conversationId={conversationId} requests={view.budgets} />
						<FormCards conversationId={conversationId} requests={view.forms} />
						{window.belowPx > 0 && <div style={{ height: window.belowPx }} />}
					</div>
				</div>
				{!window.following && (
					<button type="button" className="jump" onClick={window.follow}>
						<ArrowDown size={15} aria-hidden />
						{t("jumpToLatest")}
					</button>
				)}
			</div>
			<Announcer view={view} />
		</>
	);
}

const asksIn = ({ questions, permissions, plans, budgets, forms }: ConversationView) =>
	[...questions, ...permissions, ...plans, ...budgets, ...forms].map(({ requestId }) => requestId);

function steeredOf(messages: readonly Message[]): readonly UserMessage[] {
	const found = messages.filter((message) => message.role === "user" && message.metadata.delivery === "steered");
	const prompts = found.filter((message) => message.role === "user");
	return prompts.length === 0 ? NO_MESSAGES : prompts;
}
