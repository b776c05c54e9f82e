import { useWords } from "../i18n/use-words.tsx";
import { useActions, useApp } from "../state/use-page.tsx";
import { Button } from "../ui/button.tsx";
import { useLazy } from "../ui/use-lazy.ts";
import { EmptyState } from "./log/empty-state.tsx";
import { placeWords } from "./place-messages.ts";

/** Reading Markdown is a third of the page's code; the box to write in does not wait for it. */
export const loadLog = () => import("./log/conversation-log.tsx");

/** The conversation on screen, or what is there instead. */
export function Transcript() {
	const openId = useApp((state) => state.openId);
	const missing = useApp((state) => state.openId !== undefined && state.missingId === state.openId);
	const known = useApp((state) => state.openId !== undefined && state.views[state.openId] !== undefined);
	const code = useLazy(loadLog, openId === undefined ? "idle" : "now");
	if (openId === undefined) return <Begin />;
	if (missing) return <Missing />;
	if (!known || code === undefined) return <Loading />;
	return <code.ConversationLog key={openId} conversationId={openId} />;
}

const loadWelcome = () => import("../welcome/welcome-slot.tsx");

/** The place where the conversation will be: it has its name from the start, so that people find it again. */
function Begin() {
	const t = useWords(placeWords);
	const welcome = useLazy(loadWelcome, "idle");
	return (
		<div role="log" aria-label={t("conversation")} aria-live="off" className="flex min-h-0 flex-1 flex-col">
			{welcome === undefined ? <EmptyState /> : <welcome.WelcomeSlot otherwise={<EmptyState />} />}
		</div>
	);
}

function Loading() {
	const t = useWords(placeWords);
	const open = useApp((state) => state.connection.kind === "open" || state.connection.kind === "connecting");
	return (
		<div role="log" aria-label={t("conversation")} aria-live="off" aria-busy className="min-h-0 flex-1">
			<p className="appear-late p-8 text-center text-muted text-sm">{open ? t("loadingConversation") : t("offlineEmpty")}</p>
		</div>
	);
}

function Missing() {
	const t = useWords(placeWords);
	const { openConversation } = useActions();
	return (
		<div className="m-auto flex max-w-sm flex-col items-center gap-3 p-6 text-center">
			<h2 className="font-semibold text-lg">{t("missingTitle")}</h2>
			<p className="text-muted text-sm">{t("missingHint")}</p>
			<Button kind="primary" onClick={() => openConversation(undefined)}>
				{t("startNew")}
			</Button>
		</div>
	);
}
