import type { Conversation } from "@rightseat/protocol/model/conversation";
import { GitFork } from "lucide-react";
import { Fragment, useEffect, useState } from "react";
import { useWords } from "../i18n/use-words.tsx";
import { conversationPath } from "../state/conversation-path.ts";
import { useActions, useApp } from "../state/use-page.tsx";
import { forkApi } from "./fork-api.ts";
import { forkWords } from "./fork-messages.ts";

/** Where the open conversation was forked from, and what was forked from it. */
export function ForkLinks() {
	const t = useWords(forkWords);
	const open = useApp((state) => (state.openId === undefined ? undefined : state.conversations[state.openId]));
	const known = useApp((state) => state.conversations);
	const id = open?.id;
	const from = open?.forkedFrom?.conversationId;
	const count = open?.forks ?? 0;
	const [source, setSource] = useState<Conversation | "gone">();
	const [forks, setForks] = useState<readonly Conversation[]>([]);
	useEffect(() => {
		if (id === undefined) return;
		const asked = new AbortController();
		const quiet = () => undefined;
		setSource(undefined);
		setForks([]);
		if (from !== undefined) forkApi.find(from, asked.signal).then(setSource, () => asked.signal.aborted || setSource("gone"));
		if (count > 0) forkApi.forks(id, asked.signal).then(setForks, quiet);
		return () => asked.abort();
	}, [id, from, count]);
	if (open === undefined || (from === undefined && count === 0)) return null;
	const named = forks.map((fork) => known[fork.id] ?? fork);
	return (
		<nav aria-label={t("forks")} className="flex min-w-0 flex-wrap items-center gap-x-1.5 text-muted text-xs">
			<GitFork size={12} aria-hidden className="shrink-0" />
			{source !== undefined && (
				<>
					<span>{t("from")}</span>
					{source === "gone" ? (
						<span>{t("gone")}</span>
					) : (
						<ForkLink conversation={known[source.id] ?? source} messageId={open.forkedFrom?.messageId} />
					)}
				</>
			)}
			{named.length > 0 && <span>{t("forks")}</span>}
			{named.map((fork) => (
				<Fragment key={fork.id}>
					<ForkLink conversation={fork} />
				</Fragment>
			))}
		</nav>
	);
}

function ForkLink({ conversation, messageId }: { conversation: Conversation; messageId?: string | null | undefined }) {
	const t = useWords(forkWords);
	const { openConversation } = useActions();
	return (
		<a
			dir="auto"
			className="max-w-60 truncate underline hover:text-ink"
			href={conversationPath(conversation.id)}
			onClick={(event) => {
				event.preventDefault();
				openConversation(conversation.id, messageId == null ? {} : { messageId });
			}}
		>
			{conversation.title === "" ? t("untitled") : conversation.title}
		</a>
	);
}
