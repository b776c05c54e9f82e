import { type AgentSessions, agentSessionsAnswer } from "@rightseat/protocol/http/agents";
import { type ReactNode, useEffect, useState } from "react";
import { requestJson } from "../api/request.ts";
import { useFailureText } from "../i18n/use-failure-text.ts";
import { useLanguage, useWords } from "../i18n/use-words.tsx";
import { COPILOT } from "../state/agent.ts";
import { formatTime } from "../transcript/format.ts";
import { Button } from "../ui/button.tsx";
import { earlierWords } from "./earlier-messages.ts";

type Unusable = NonNullable<AgentSessions["unusable"]>;
type Listed =
	| { state: "asking" }
	| { state: "listed"; sessions: AgentSessions["sessions"]; unusable: Unusable; nextCursor: string | undefined }
	| { state: "failed"; error: unknown };

/** Sessions that the agent keeps, begun by whatever program: one of them can be gone on with. Asked for when somebody opens the list. */
export function EarlierSessions({ agent, busy, onContinue }: { agent: string; busy: boolean; onContinue: (sessionId: string) => void }) {
	const t = useWords(earlierWords);
	const [open, setOpen] = useState(false);
	return (
		<details className="text-sm" onToggle={(event) => setOpen(event.currentTarget.open)}>
			<summary className="cursor-pointer text-muted">{t(agent === COPILOT ? "earlierCli" : "earlier")}</summary>
			{open && <SessionList key={agent} {...{ agent, busy, onContinue }} />}
		</details>
	);
}

function SessionList({ agent, busy, onContinue }: { agent: string; busy: boolean; onContinue: (sessionId: string) => void }) {
	const t = useWords(earlierWords);
	const failureText = useFailureText();
	const [listed, setListed] = useState<Listed>({ state: "asking" });
	const [cursor, setCursor] = useState<string>();
	useEffect(() => {
		const stop = new AbortController();
		const query = cursor === undefined ? "" : `?cursor=${encodeURIComponent(cursor)}`;
		requestJson(`/api/agents/${encodeURIComponent(agent)}/sessions${query}`, agentSessionsAnswer, { signal: stop.signal }).then(
			({ sessions, unusable = [], nextCursor }) =>
				setListed((before) => ({
					state: "listed",
					sessions: [...(before.state === "listed" ? before.sessions : []), ...sessions],
					unusable: [...(before.state === "listed" ? before.unusable : []), ...unusable],
					nextCursor,
				})),
			(error: unknown) => {
				if (!stop.signal.aborted) setListed({ state: "failed", error });
			},
		);
		return () => stop.abort();
	}, [agent, cursor]);
	if (listed.state === "asking") return <p className="pt-2 text-muted">{t("earlierAsking")}</p>;
	if (listed.state === "failed") return <p className="break-words pt-2 text-danger">{failureText(listed.error)}</p>;
	const { sessions, unusable, nextCursor } = listed;
	if (sessions.length + unusable.length === 0 && nextCursor === undefined) return <p className="pt-2 text-muted">{t("earlierNone")}</p>;
	return (
		<>
			<p className="pt-2 text-muted text-xs">{t(agent === COPILOT ? "earlierCopied" : "earlierHint")}</p>
			<ul className="grid max-h-48 gap-1 overflow-y-auto pt-2">
				{sessions.map((session) => (
					<SessionRow key={session.sessionId} {...session} note={session.isHeld === true ? t("earlierHeld") : undefined}>
						<Button small disabled={busy} onClick={() => onContinue(session.sessionId)}>
							{t("earlierContinue")}
						</Button>
					</SessionRow>
				))}
				{unusable.map((session) => (
					<SessionRow
						key={session.sessionId}
						{...session}
						note={t(isProblem(session.problem) ? `earlier.${session.problem}` : "earlier.damaged")}
					/>
				))}
			</ul>
			{nextCursor !== undefined && (
				<Button small onClick={() => setCursor(nextCursor)}>
					{t("earlierMore")}
				</Button>
			)}
		</>
	);
}

interface RowProps {
	sessionId: string;
	title: string;
	cwd: string;
	updatedAt?: string | undefined;
	/** What is special about it. */
	note: string | undefined;
	children?: ReactNode;
}

function SessionRow({ sessionId, title, cwd, updatedAt, note, children }: RowProps) {
	const t = useWords(earlierWords);
	const language = useLanguage();
	return (
		<li className="flex items-center gap-2">
			<span className="min-w-0 flex-1">
				<span className="block truncate">{title === "" ? t("earlierUntitled") : title}</span>
				<span className="block truncate text-muted text-xs">{cwd === "" ? sessionId : cwd}</span>
				{(updatedAt !== undefined || note !== undefined) && (
					<span className="block text-muted text-xs">
						{[updatedAt === undefined ? undefined : formatTime(updatedAt, language), note].filter(Boolean).join(" · ")}
					</span>
				)}
			</span>
			{children}
		</li>
	);
}

const PROBLEMS = ["outside", "gone", "damaged", "too-large", "foreign"] as const;
const isProblem = (problem: string): problem is (typeof PROBLEMS)[number] => PROBLEMS.some((known) => known === problem);
