import { type AgentSession, agentSessionsAnswer } from "@rightseat/protocol/http/agents";
import { useEffect, useState } from "react";
import { requestJson } from "../api/request.ts";
import { useFailureText } from "../i18n/use-failure-text.ts";
import { useWords } from "../i18n/use-words.tsx";
import { Button } from "../ui/button.tsx";
import { agentWords } from "./agent-messages.ts";

type Listed =
	| { state: "asking" }
	| { state: "listed"; sessions: readonly AgentSession[]; nextCursor: string | undefined }
	| { state: "failed"; error: unknown };

/** Sessions that the agent keeps, begun by whatever program: one of them can be gone on with. Asked for when somebody opens the list. */
export function EarlierSessions({ agent, busy, onContinue }: { agent: string; busy: boolean; onContinue: (sessionId: string) => void }) {
	const t = useWords(agentWords);
	const [open, setOpen] = useState(false);
	return (
		<details className="text-sm" onToggle={(event) => setOpen(event.currentTarget.open)}>
			<summary className="cursor-pointer text-muted">{t("earlier")}</summary>
			{open && <SessionList key={agent} {...{ agent, busy, onContinue }} />}
		</details>
	);
}

function SessionList({ agent, busy, onContinue }: { agent: string; busy: boolean; onContinue: (sessionId: string) => void }) {
	const t = useWords(agentWords);
	const failureText = useFailureText();
	const [listed, setListed] = useState<Listed>({ state: "asking" });
	const [cursor, setCursor] = useState<string>();
	useEffect(() => {
		const stop = new AbortController();
		const query = cursor === undefined ? "" : `?cursor=${encodeURIComponent(cursor)}`;
		requestJson(`/api/agents/${encodeURIComponent(agent)}/sessions${query}`, agentSessionsAnswer, { signal: stop.signal }).then(
			({ sessions, nextCursor }) =>
				setListed((before) => ({
					state: "listed",
					sessions: [...(before.state === "listed" ? before.sessions : []), ...sessions],
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
	if (listed.sessions.length === 0 && listed.nextCursor === undefined) return <p className="pt-2 text-muted">{t("earlierNone")}</p>;
	const { nextCursor } = listed;
	return (
		<>
			<p className="pt-2 text-muted text-xs">{t("earlierHint")}</p>
			<ul className="grid max-h-48 gap-1 overflow-y-auto pt-2">
				{listed.sessions.map(({ sessionId, title, cwd }) => (
					<li key={sessionId} className="flex items-center gap-2">
						<span className="min-w-0 flex-1">
							<span className="block truncate">{title === "" ? t("earlierUntitled") : title}</span>
							<span className="block truncate text-muted text-xs">{cwd}</span>
						</span>
						<Button small disabled={busy} onClick={() => onContinue(sessionId)}>
							{t("earlierContinue")}
						</Button>
					</li>
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
