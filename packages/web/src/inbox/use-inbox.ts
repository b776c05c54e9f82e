import type { InboxItem } from "@rightseat/protocol/model/inbox";
import { ApiError } from "../api/request.ts";
import { useWide } from "../app/use-media.ts";
import { useFailureText } from "../i18n/use-failure-text.ts";
import { useLanguage, useWords } from "../i18n/use-words.tsx";
import { schedulesApi } from "../schedules/schedules-api.ts";
import { useUiSet } from "../state/ui-slice.tsx";
import { useActions } from "../state/use-page.tsx";
import { formatTime } from "../transcript/format.ts";
import { inboxApi } from "./inbox-api.ts";
import { inboxWords } from "./inbox-messages.ts";

/** What a person can do about an item. */
export function useInbox() {
	const t = useWords(inboxWords);
	const language = useLanguage();
	const say = useFailureText();
	const setUi = useUiSet();
	const wide = useWide();
	const { openConversation, show, toast } = useActions();

	/** What is settled already needs no words: the list shows it. */
	async function tell(work: Promise<unknown>): Promise<boolean> {
		try {
			await work;
			return true;
		} catch (error) {
			if (!(error instanceof ApiError && error.status === 404)) toast({ kind: "error", text: say(error) });
			return false;
		} finally {
			await inboxApi.list().then(
				(inbox) => setUi({ inbox }),
				() => undefined,
			);
		}
	}
	const wake = (id: string) => void tell(inboxApi.wake(id));
	return {
		open({ conversationId }: InboxItem) {
			if (conversationId === null) return;
			openConversation(conversationId);
			if (!wide) show({ panel: undefined });
		},
		seen: (id: string) => void tell(inboxApi.seen(id)),
		async snooze(id: string, until: Date) {
			if (!(await tell(inboxApi.snooze(id, until)))) return;
			const when = formatTime(until.toISOString(), language);
			toast({ kind: "info", text: t("snoozed", { when }), action: { label: t("undo"), run: () => wake(id) } });
		},
		wake,
		settleMissed: (scheduleId: string, decision: "run" | "skip") => void tell(schedulesApi.decide(scheduleId, decision)),
	};
}
