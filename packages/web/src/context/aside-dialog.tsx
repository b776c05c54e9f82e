import { type FormEvent, useEffect, useRef, useState } from "react";
import { useFailureText } from "../i18n/use-failure-text.ts";
import { useWords } from "../i18n/use-words.tsx";
import { useUi, useUiSet } from "../state/ui-slice.tsx";
import { useApp } from "../state/use-page.tsx";
import { Button } from "../ui/button.tsx";
import { CopyButton } from "../ui/copy-button.tsx";
import { Dialog } from "../ui/dialog.tsx";
import { contextApi } from "./context-api.ts";
import { windowWords } from "./window-messages.ts";

/** A question to the model of the conversation on screen that is kept nowhere; with one in hand it is asked at once. */
export function AsideDialog() {
	const t = useWords(windowWords);
	const setUi = useUiSet();
	const say = useFailureText();
	const given = useUi((state) => state.context?.slice("btw ".length) ?? "");
	const id = useApp((state) => state.openId);
	const [question, setQuestion] = useState(given);
	const [state, setState] = useState<{ at: "idle" | "waiting" } | { at: "answered"; answer: string } | { at: "failed"; error: unknown }>({
		at: "idle",
	});
	async function ask(asked: string): Promise<void> {
		if (id === undefined || asked.trim() === "") return;
		setState({ at: "waiting" });
		await contextApi.ask(id, asked).then(
			(answer) => setState({ at: "answered", answer }),
			(error: unknown) => setState({ at: "failed", error }),
		);
	}
	const begun = useRef(false);
	useEffect(() => {
		if (begun.current || given === "") return;
		begun.current = true;
		void ask(given);
	});
	const submit = (event: FormEvent) => {
		event.preventDefault();
		void ask(question);
	};
	return (
		<Dialog open onClose={() => setUi({ context: undefined })} title={t("asideTitle")}>
			<div className="flex min-h-0 flex-col gap-3 overflow-y-auto p-5">
				<form className="flex gap-2" onSubmit={submit}>
					<input
						aria-label={t("question")}
						className="min-w-0 flex-1 rounded-lg border border-line bg-transparent px-3 py-1.5 text-sm"
						value={question}
						onChange={(event) => setQuestion(event.target.value)}
					/>
					<Button kind="primary" type="submit" disabled={state.at === "waiting" || question.trim() === ""}>
						{t("ask")}
					</Button>
				</form>
				<div aria-live="polite">
					{state.at === "waiting" && <p className="text-muted text-sm">{t("waiting")}</p>}
					{state.at === "answered" && (
						<section aria-label={t("answer")} className="flex items-start gap-2">
							<p className="min-w-0 flex-1 whitespace-pre-wrap break-words text-sm">{state.answer}</p>
							<CopyButton text={() => state.answer} label={t("copy")} />
						</section>
					)}
					{state.at === "failed" && <p className="text-danger text-sm">{say(state.error)}</p>}
				</div>
				<p className="text-muted text-xs">{t("asideHint")}</p>
			</div>
		</Dialog>
	);
}
