import type { PermissionRequest } from "@rightseat/protocol/model/ask";
import { visibleCommand, visibleLine } from "@rightseat/protocol/visible-command";
import { type FormattedText, joinTexts, styled, trimText } from "../format/formatted-text.ts";
import type { Messages } from "../messages/messages.ts";

const MAX_SUMMARY_CHARS = 300;
const MAX_NAME_CHARS = 80;
const MAX_DETAIL_CHARS = 1_500;
const MAX_OFFER_CHARS = 1_500;

/**
 * A permission request as a chat shows it, nothing hidden in it. What does not fit into the message is in `file`,
 * which goes out before the buttons: nobody is asked about what was not sent to them.
 */
export function permissionText(request: PermissionRequest, words: Messages, redact: (text: string) => string) {
	const summary = visibleLine(redact(request.summary), MAX_SUMMARY_CHARS);
	const who = request.agentName === undefined ? "" : `\n${words.subAgentAsks(askerOf(request.agentName, redact))}`;
	const head = `🔐 ${words.mayI} ${summary.text}${summary.more === 0 ? "" : words.moreCharacters(summary.more)}${who}`;
	const detail = visibleCommand(redact(request.detail ?? ""));
	const rules = (request.remember ?? []).map((rule) => `• ${visibleCommand(redact(words.rule(rule)))}`);
	const offer = rules.length === 0 ? "" : `\n\n${[words.allowHereMeans, ...rules].join("\n")}`;
	// Nobody allows for good what was not shown to them whole.
	const mayRemember = offer !== "" && offer.length <= MAX_OFFER_CHARS && request.truncated === undefined;
	if (detail.length <= MAX_DETAIL_CHARS)
		return { head, message: message(head, detail, mayRemember ? offer : ""), file: undefined, mayRemember };
	const whole = detail.slice(0, MAX_DETAIL_CHARS);
	const shown = whole.isWellFormed() ? whole : whole.slice(0, -1);
	const rest = `\n\n${words.moreInFile(detail.length - shown.length, FILE_NAME)}`;
	return {
		head,
		message: message(head, shown, rest),
		file: { kind: "document", filename: FILE_NAME, content: detail } as const,
		mayRemember: false,
	};
}

/** The name of a sub-agent is the model's word: it shows nothing that is not there, and never takes the place of what is asked. */
export const askerOf = (name: string, redact: (text: string) => string): string => visibleLine(redact(name), MAX_NAME_CHARS).text;

const FILE_NAME = "request.txt";

function message(head: string, detail: string, rest: string): FormattedText {
	return trimText(joinTexts([head, "\n\n", styled(detail, { type: "pre" }), rest]));
}
