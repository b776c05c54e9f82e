import { checkContent } from "@rightseat/protocol/form/check-content";
import type { FormContent, FormField } from "@rightseat/protocol/form/form-field";
import type { FormAction, FormRequest } from "@rightseat/protocol/model/form";
import type { Origin } from "@rightseat/protocol/model/vocabulary";
import { formSentences } from "@rightseat/protocol/sentences/form-sentences";
import { sayCoded } from "@rightseat/protocol/sentences/say-coded";
import type { ActiveConversations } from "../active/active-conversations.ts";
import type { Closing } from "../active/closing.ts";
import { AppError } from "../kernel/errors.ts";
import type { ConversationId } from "../kernel/ids.ts";
import type { AskForm, FormAnswer } from "../ports/agent-asks.ts";
import { askForm } from "./ask-form.ts";
import type { AskDeps } from "./ask-question.ts";
import { settledAlready } from "./settled-already.ts";

/** What a person does with a form. */
export interface FormResponse {
	/** Undefined: whichever has this request. */
	conversationId: ConversationId | undefined;
	requestId: string;
	action: FormAction;
	/** With `accept`, as it came: values by the names of the fields. */
	content?: Readonly<Record<string, unknown>> | undefined;
	by: Origin;
	/** The address or the person, for the audit log. */
	from?: string;
}

/** Forms of programs behind the agent: put to every channel, checked, settled once. */
export interface Forms {
	/** Resolves with the first answer that fits, or with `cancel` when none came. A form that cannot be shown is declined, and people hear why. */
	ask(conversationId: ConversationId, form: AskForm, signal: AbortSignal): Promise<FormAnswer>;
	/** The first answer wins. Throws `request-not-found` when it is settled already or unknown, `form-invalid` when a value does not fit: then it waits on. */
	respond(response: FormResponse): void;
	pending(conversationId: ConversationId): FormRequest[];
}

/** Requests live in `active`, so a snapshot and the list of conversations show them too. */
export function createForms(
	deps: AskDeps & { active: Pick<ActiveConversations, "get" | "find" | "asking">; closing: Pick<Closing, "check"> },
): Forms {
	const { active, closing, redactor } = deps;
	return {
		ask: (conversationId, form, signal) => askForm(deps, { conversationId, form, signal }),
		respond({ conversationId, requestId, action, content, by }) {
			const asking = active.asking().find(({ id, forms }) => forms.has(requestId) && (conversationId ?? id) === id);
			const form = asking?.forms.get(requestId);
			if (asking === undefined || form === undefined) throw settledAlready();
			closing.check(asking.id);
			if (action === "accept")
				form.settle({ outcome: "answered", action, content: checked(form.fields, redactor.value(content ?? {})), by });
			else form.settle({ outcome: "answered", action, by });
		},
		pending(conversationId) {
			const forms = active.find(conversationId)?.forms.values() ?? [];
			return [...forms].map(({ settle: _, fields: _f, bytes: _b, ...form }) => form);
		},
	};
}

function checked(fields: readonly FormField[], given: unknown): FormContent {
	const result = checkContent(fields, given);
	if (result.ok) return result.content;
	const [problem] = result.problems;
	if (problem === undefined) return {};
	const title = fields.find(({ name }) => name === problem.field)?.title ?? problem.field;
	const { field, reason } = problem;
	const limit: { [name: string]: number } = "limit" in problem ? { limit: problem.limit } : {};
	const said = sayCoded({ code: "form-invalid", message: title, params: { reason, title, ...limit } }, "en", formSentences);
	throw new AppError("form-invalid", `${said}`, { params: { reason, field, title, ...limit } });
}
