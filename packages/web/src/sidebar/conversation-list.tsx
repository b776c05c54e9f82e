import { useEffect, useState } from "react";
import { useWords } from "../i18n/use-words.tsx";
import { useUi } from "../state/ui-slice.tsx";
import { useActions, useApp } from "../state/use-page.tsx";
import { Button } from "../ui/button.tsx";
import { ConversationItem } from "./conversation-item.tsx";
import { groupConversations } from "./group-conversations.ts";
import { sidebarWords } from "./sidebar-messages.ts";

/** Only where there is more than one host. */
const loadFleet = () => import("../fleet/host-groups.tsx");

/** One flat list; the heading of a group stands in its first item, so that the list stays a list for screen readers. */
export function ConversationList({ archived }: { archived: boolean }) {
	const t = useWords(sidebarWords);
	const { loadConversations } = useActions();
	const all = useApp((state) => state.conversations);
	const loaded = useApp((state) => state.conversationsLoaded);
	const cursor = useApp((state) => state.conversationsCursor);
	const deleting = useUi((state) => state.deleting);
	const shown = Object.values(all).filter((conversation) => conversation.archived === archived && !deleting.has(conversation.id));
	const hosts = useApp((state) => state.hosts);
	const hasOthers = hosts.length > 1;
	const [fleet, setFleet] = useState<Awaited<ReturnType<typeof loadFleet>>>();
	const groups =
		hasOthers && fleet !== undefined
			? fleet.hostGroups(shown, hosts)
			: groupConversations(shown, new Date()).map(({ group, conversations }) => ({ title: t(group), conversations }));

	useEffect(() => {
		if (hasOthers) loadFleet().then(setFleet, (error: unknown) => console.warn("The groups by host could not be loaded.", error));
	}, [hasOthers]);

	useEffect(() => {
		if (archived) void loadConversations({ archived: true });
	}, [archived, loadConversations]);

	if (shown.length === 0 && (loaded || archived)) {
		return (
			<>
				<ul aria-label={t("conversations")} />
				<p className="px-3 py-6 text-center text-muted text-sm">{t(archived ? "archiveEmpty" : "empty")}</p>
			</>
		);
	}
	return (
		<>
			<ul aria-label={t("conversations")}>
				{groups.flatMap(({ title, conversations }) =>
					conversations.map((conversation, index) => (
						<li key={conversation.id}>
							{index === 0 && <h2 className="px-2.5 pt-3 pb-1 font-medium text-muted text-xs">{title}</h2>}
							<ConversationItem conversation={conversation} />
						</li>
					)),
				)}
			</ul>
			{cursor !== undefined && (
				<Button small kind="quiet" className="mt-1 w-full" onClick={() => void loadConversations({ more: true, archived })}>
					{t("loadMore")}
				</Button>
			)}
		</>
	);
}
