import type { PlanRequest } from "@rightseat/protocol/model/ask";
import { cutText } from "@rightseat/protocol/text";
import type { FormattedText } from "../format/formatted-text.ts";
import type { Messages } from "../messages/messages.ts";
import { oneLine } from "./status-text.ts";

/** One message has room for 4,096, with words around it. */
const MAX_SHOWN_CHARS = 3_000;
const FILE_NAME = "plan.md";

/** A plan as a chat shows it. What does not fit into the message is in `file`, which goes out before the buttons: nobody takes what was not sent to them. */
export function planText({ summary, plan }: PlanRequest, words: Messages, redact: (text: string) => string) {
	const whole = redact([summary, plan].filter((text) => text.trim() !== "").join("\n\n"));
	const head = `🗺 ${words.planTitle} ${oneLine(redact(summary), 300)}`;
	const shown = cutText(whole, MAX_SHOWN_CHARS);
	const rest = shown.length === whole.length ? "" : `\n\n${words.moreInFile(whole.length - shown.length, FILE_NAME)}`;
	const message: FormattedText = { text: `🗺 ${words.planTitle}\n\n${shown}${rest}\n\n${words.planReply}`, entities: [] };
	const file = rest === "" ? undefined : ({ kind: "document", filename: FILE_NAME, content: whole } as const);
	return { head, message, file };
}
