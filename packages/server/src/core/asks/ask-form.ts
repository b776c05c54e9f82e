import { readForm } from "@rightseat/protocol/form/read-form";
import type { FormRequest } from "@rightseat/protocol/model/form";
import { formSentences } from "@rightseat/protocol/sentences/form-sentences";
import { sayCoded } from "@rightseat/protocol/sentences/say-coded";
import { cutText } from "@rightseat/protocol/text";
import type { PendingForm } from "../active/active-conversations.ts";
import { isoTime } from "../kernel/clock.ts";
import { jsonBytes } from "../kernel/fit.ts";
import type { ConversationId } from "../kernel/ids.ts";
import type { AskForm, FormAnswer } from "../ports/agent-asks.ts";
import type { AskDeps } from "./ask-question.ts";
import { waitForAnswer } from "./wait-for-answer.ts";

/** One form with all of its words, and all that wait in one conversation together, in bytes of JSON: they are shown whole or not at all. */
export const MAX_FORM_BYTES = 32_768;
export const MAX_OPEN_FORMS_BYTES = 65_536;
/** Of who asks. */
const MAX_SOURCE_CHARS = 200;
const NO_FIELDS = { type: "object", properties: {} };

/** Puts a form to every channel; resolves with the first answer that fits. */
export async function askForm(
	deps: AskDeps,
	asked: { conversationId: ConversationId; form: AskForm; signal: AbortSignal },
): Promise<FormAnswer> {
	const { conversationId, signal } = asked;
	const { forms, turn } = deps.active.get(conversationId);
	// Between turns nobody is there to be asked.
	if (turn === undefined) return { action: "cancel" };
	const source = cutText(deps.redactor.text(asked.form.source), MAX_SOURCE_CHARS);
	const read = readAsked(asked.form);
	if (!("shown" in read)) return decline(deps, conversationId, { source, ...read });
	const requestId = deps.ids.next();
	const expiresAt = isoTime(deps.clock.now() + deps.askTimeoutMs);
	const request: FormRequest = { requestId, source, ...deps.redactor.value(read.shown), expiresAt };
	const fields = readForm(request.schema);
	const open = [...forms.values()].reduce((sum, { bytes }) => sum + bytes, 0);
	const bytes = jsonBytes(request);
	if (!fields.ok || open + bytes > MAX_OPEN_FORMS_BYTES) return decline(deps, conversationId, { source, reason: "too-many" });
	const end = await waitForAnswer<Parameters<PendingForm["settle"]>[0]>(deps, {
		conversationId,
		signal,
		limit: { what: "The form", timedOut: { outcome: "expired" } },
		aborted: { outcome: "aborted" },
		open(settle) {
			forms.set(requestId, { ...request, fields: fields.fields, bytes, settle });
			deps.log.append(conversationId, { type: "copilot:form_request", data: request });
		},
		closed({ outcome, action, by }) {
			forms.delete(requestId);
			deps.log.append(conversationId, { type: "copilot:form_resolved", data: { requestId, outcome, action, by } });
		},
	});
	if (end.outcome !== "answered" || end.action === undefined) return { action: "cancel" };
	return end.action === "accept" ? { action: "accept", content: end.content ?? {} } : { action: end.action };
}

type Shown = Pick<FormRequest, "message" | "schema" | "url">;
interface Refused {
	reason: "too-large" | "unreadable" | "page" | "too-many";
	/** The field that cannot be shown. */
	field?: string;
}

/** What people are shown; or why they are not. */
function readAsked({ message, schema = NO_FIELDS, url }: AskForm): { shown: Shown } | Refused {
	if (url !== undefined) {
		if (url.length + message.length > MAX_FORM_BYTES / 4) return { reason: "too-large" };
		return isWebPage(url) ? { shown: { message, schema: NO_FIELDS, url } } : { reason: "page" };
	}
	if (!isSmall([message, schema])) return { reason: "too-large" };
	const read = readForm(schema);
	if (!read.ok) return { reason: "unreadable", field: cutText(read.field, MAX_SOURCE_CHARS) };
	return { shown: { message, schema: { ...Object(schema) } } };
}

/** Anything but a page of the web could start a program on the person's machine. */
const isWebPage = (url: string) => URL.canParse(url) && /^https?:$/.test(new URL(url).protocol);

/** Looked at piece by piece, so that a huge one costs no more than a large one, and a deep one no more than a flat one. */
function isSmall(value: unknown): boolean {
	const left: unknown[] = [value];
	let bytes = 0;
	for (let one = left.pop(); bytes <= MAX_FORM_BYTES && (one !== undefined || left.length > 0); one = left.pop()) {
		bytes += 2;
		if (typeof one === "string") bytes += one.length > MAX_FORM_BYTES ? one.length : jsonBytes(one);
		else if (typeof one === "object" && one !== null) {
			const below = Object.entries(one);
			if (below.length > MAX_FORM_BYTES) return false;
			for (const [name, item] of below) left.push(name, item);
		} else bytes += 8;
	}
	return bytes <= MAX_FORM_BYTES;
}

/** Nobody is asked; whoever asked hears no, and people hear why. */
function decline(
	deps: Pick<AskDeps, "log">,
	conversationId: ConversationId,
	{ source, reason, field = "" }: Refused & { source: string },
): FormAnswer {
	const params = { reason, source, field, max: MAX_FORM_BYTES };
	const code = "form-declined";
	const message = sayCoded({ code, message: `A form of ${source} was declined.`, params }, "en", formSentences).trim();
	deps.log.append(conversationId, { type: "copilot:notice", data: { code, message, params, lasting: true } });
	return { action: "decline" };
}
