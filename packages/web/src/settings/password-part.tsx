import { type FormEvent, useState } from "react";
import { useFailureText } from "../i18n/use-failure-text.ts";
import { useWords } from "../i18n/use-words.tsx";
import { PasswordBox } from "../login/password-box.tsx";
import { Button } from "../ui/button.tsx";
import { ConfirmButton } from "./confirm-button.tsx";
import { Part } from "./parts.tsx";
import { securityApi } from "./security-api.ts";
import { securityWords } from "./security-messages.ts";

/** The server's own limits; checked here too, so that the reason comes in the reader's language. */
const MIN_CHARS = 10;
const MAX_CHARS = 200;

export function PasswordPart({ isSet, reload }: { isSet: boolean; reload: () => Promise<void> }) {
	const t = useWords(securityWords);
	const say = useFailureText();
	const [password, setPassword] = useState("");
	const [problem, setProblem] = useState("");
	const [done, setDone] = useState("");
	const [busy, setBusy] = useState(false);

	const change = async (run: () => Promise<unknown>, outcome: string) => {
		setBusy(true);
		setProblem("");
		setDone("");
		try {
			await run();
			setPassword("");
			setDone(outcome);
			await reload();
		} catch (error) {
			setProblem(t("failed", { message: say(error) }));
		}
		setBusy(false);
	};
	const submit = (event: FormEvent) => {
		event.preventDefault();
		setDone("");
		if (password.length < MIN_CHARS) setProblem(t("tooShort", { count: MIN_CHARS }));
		else if (password.length > MAX_CHARS) setProblem(t("tooLong", { count: MAX_CHARS }));
		else void change(() => securityApi.setPassword(password), t("passwordSaved"));
	};
	return (
		<Part title={t("password")} hint={t("passwordHint")}>
			<p className="pb-2.5 text-sm">{t(isSet ? "passwordOn" : "passwordOff")}</p>
			<form onSubmit={submit} className="max-w-sm">
				<PasswordBox
					label={t("newPassword")}
					hint={t("passwordRule", { count: MIN_CHARS })}
					show={t("show")}
					hide={t("hide")}
					kind="new-password"
					value={password}
					problem={problem}
					onChange={setPassword}
				/>
				<Button type="submit" disabled={busy} className="mt-2">
					{t(isSet ? "changePassword" : "setPassword")}
				</Button>
			</form>
			{isSet && (
				<div className="pt-2">
					<ConfirmButton
						label={t("removePassword")}
						question={t("removePasswordAsk")}
						confirm={t("remove")}
						onConfirm={() => change(securityApi.removePassword, t("passwordRemoved"))}
					/>
				</div>
			)}
			<p aria-live="polite" className="pt-2 text-muted text-sm empty:hidden">
				{done}
			</p>
		</Part>
	);
}
