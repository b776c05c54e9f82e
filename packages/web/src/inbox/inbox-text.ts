import type { InboxItem } from "@rightseat/protocol/model/inbox";
import { inboxSentences } from "@rightseat/protocol/sentences/inbox-sentences";
import { sayCoded } from "@rightseat/protocol/sentences/say-coded";
import type { Speech } from "../i18n/error-text.ts";

/** Why an item waits, in the page's language; the agent's own words as they are. */
export function whyText({ why, code, params }: Pick<InboxItem, "why" | "code" | "params">, { language, sentences }: Speech): string {
	if (code === undefined) return why;
	const known = { ...sentences?.[language], ...inboxSentences[language] };
	return sayCoded({ code, message: why, params }, language, { en: known, "zh-Hant": known });
}
