import type { FieldProblem } from "@rightseat/protocol/form/check-content";
import { readForm } from "@rightseat/protocol/form/read-form";
import type { FormRequest } from "@rightseat/protocol/model/form";
import { formSentences } from "@rightseat/protocol/sentences/form-sentences";
import { sayCoded } from "@rightseat/protocol/sentences/say-coded";
import { type FormEvent, useMemo, useRef, useState } from "react";
import { useLanguage, useWords } from "../../i18n/use-words.tsx";
import { useActions } from "../../state/use-page.tsx";
import { Button } from "../../ui/button.tsx";
import { Countdown } from "./countdown.tsx";
import { FormInput } from "./form-input.tsx";
import { formWords } from "./form-messages.ts";
import { firstValues, readValues } from "./form-values.ts";
import { useMoveFocus } from "./use-move-focus.ts";

/** A program behind the agent asks for something: its fields, or the page that it wants opened. */
export function FormCard({ conversationId, request }: { conversationId: string; request: FormRequest }) {
	const t = useWords(formWords);
	const language = useLanguage();
	const { fillIn } = useActions();
	const { requestId, source, url } = request;
	const fields = useMemo(() => {
		const read = readForm(request.schema);
		return read.ok ? read.fields : [];
	}, [request.schema]);
	const [typed, setTyped] = useState(() => firstValues(fields));
	const [problems, setProblems] = useState<readonly FieldProblem[]>([]);
	const card = useRef<HTMLFormElement>(null);
	useMoveFocus(card);

	function submit(event: FormEvent) {
		event.preventDefault();
		const read = readValues(fields, typed);
		if ("content" in read) return fillIn({ conversationId, requestId, action: "accept", content: read.content });
		setProblems(read.problems);
		const [first] = read.problems;
		card.current?.querySelector<HTMLElement>(`[data-field="${CSS.escape(first?.field ?? "")}"] :is(input, select)`)?.focus();
	}
	function problemOf(name: string, title: string) {
		const found = problems.find(({ field }) => field === name);
		return found === undefined
			? undefined
			: sayCoded({ code: "form-invalid", message: title, params: { ...found, title } }, language, formSentences);
	}
	return (
		<form ref={card} aria-label={t("form")} className="ask" noValidate onSubmit={submit}>
			<div className="ask-head">
				<strong>{t("form")}</strong>
				<Countdown until={request.expiresAt} />
			</div>
			<p className="break-words text-muted text-sm">{t("asks", { source })}</p>
			<p dir="auto" className="whitespace-pre-wrap break-words">
				{request.message}
			</p>
			{url !== undefined && <PageLink url={url} />}
			{fields.map((field) => (
				<FormInput
					key={field.name}
					field={field}
					typed={typed[field.name] ?? ""}
					problem={problemOf(field.name, field.title)}
					onType={(value) => {
						setTyped({ ...typed, [field.name]: value });
						setProblems(problems.filter((problem) => problem.field !== field.name));
					}}
				/>
			))}
			<div className="flex flex-wrap gap-2">
				<Button type="submit" kind="primary">
					{t(url !== undefined ? "done" : fields.length === 0 ? "yes" : "send")}
				</Button>
				<Button onClick={() => fillIn({ conversationId, requestId, action: "decline" })}>{t("decline")}</Button>
				<Button kind="quiet" onClick={() => fillIn({ conversationId, requestId, action: "cancel" })}>
					{t("cancel")}
				</Button>
			</div>
			{fields.length > 0 && <p className="ask-note text-muted">{t("goesTo")}</p>}
		</form>
	);
}

/** Opened by a person and nobody else, and never with a way back to this page. */
function PageLink({ url }: { url: string }) {
	const t = useWords(formWords);
	const { host } = new URL(url);
	return (
		<div className="flex flex-col gap-1">
			<a href={url} target="_blank" rel="noopener noreferrer" referrerPolicy="no-referrer" className="font-medium text-accent underline">
				{t("openPage", { host })}
			</a>
			<code className="break-all text-xs">{url}</code>
			<p className="text-muted text-xs">{t("pageNote")}</p>
		</div>
	);
}
