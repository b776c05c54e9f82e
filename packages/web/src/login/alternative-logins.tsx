import type { LoginMethods } from "@rightseat/protocol/http/login-methods";
import { passkeyChallengeAnswer } from "@rightseat/protocol/http/passkey-options";
import { KeyRound } from "lucide-react";
import { type FormEvent, useRef, useState } from "react";
import { requestJson } from "../api/request.ts";
import { useFailureText } from "../i18n/use-failure-text.ts";
import { useWords } from "../i18n/use-words.tsx";
import { passkeyProblem, passkeysWork, signWithPasskey } from "../passkey/passkey.ts";
import { useActions } from "../state/use-page.tsx";
import { Button } from "../ui/button.tsx";
import { alternativeLoginWords } from "./alternative-logins-messages.ts";
import { loginWords } from "./login-messages.ts";
import { loginProblem } from "./login-problem.ts";
import { PasswordBox } from "./password-box.tsx";

/** What the owner set up beside the access token. */
export function AlternativeLogins({ methods }: { methods: LoginMethods }) {
	const t = useWords(alternativeLoginWords);
	const passkey = methods.passkey && passkeysWork();
	if (!passkey && !methods.password) return null;
	return (
		<section className="mt-6 border-t pt-5">
			<h2 className="pb-3 font-medium text-sm">{t("title")}</h2>
			<div className="grid gap-5">
				{passkey && <PasskeyLogin />}
				{methods.password && <PasswordLogin />}
			</div>
		</section>
	);
}

function PasskeyLogin() {
	const t = useWords(alternativeLoginWords);
	const common = useWords(loginWords);
	const say = useFailureText();
	const { login } = useActions();
	const [busy, setBusy] = useState(false);
	const [problem, setProblem] = useState("");
	const enter = async () => {
		setBusy(true);
		setProblem("");
		try {
			const options = await requestJson("/api/login/passkey/options", passkeyChallengeAnswer, { method: "POST" });
			await login({ passkey: await signWithPasskey(options) });
		} catch (error) {
			setProblem(passkeyProblem(error) === undefined ? loginProblem(error, t("passkeyWrong"), { t: common, say }) : t("passkeyCancelled"));
		}
		setBusy(false);
	};
	return (
		<div>
			<Button
				icon={<KeyRound size={16} aria-hidden />}
				disabled={busy}
				aria-describedby="passkey-problem"
				className="min-h-11 w-full"
				onClick={() => void enter()}
			>
				{t(busy ? "passkeyBusy" : "passkey")}
			</Button>
			<p id="passkey-problem" role="alert" className="pt-1.5 text-danger text-sm empty:hidden">
				{problem}
			</p>
		</div>
	);
}

function PasswordLogin() {
	const t = useWords(alternativeLoginWords);
	const common = useWords(loginWords);
	const say = useFailureText();
	const { login } = useActions();
	const [password, setPassword] = useState("");
	const [busy, setBusy] = useState(false);
	const [problem, setProblem] = useState("");
	const box = useRef<HTMLInputElement>(null);
	const submit = async (event: FormEvent) => {
		event.preventDefault();
		if (password === "") {
			setProblem(t("passwordEmpty"));
			return;
		}
		setBusy(true);
		setProblem("");
		try {
			await login({ password });
		} catch (error) {
			setProblem(loginProblem(error, t("passwordWrong"), { t: common, say }));
			box.current?.focus();
		}
		setBusy(false);
	};
	return (
		<form onSubmit={(event) => void submit(event)}>
			<PasswordBox
				ref={box}
				label={t("password")}
				show={common("show")}
				hide={common("hide")}
				kind="current-password"
				value={password}
				problem={problem}
				onChange={setPassword}
			/>
			<Button type="submit" disabled={busy} className="mt-3 min-h-11 w-full">
				{busy ? common("loggingIn") : t("passwordLogin")}
			</Button>
		</form>
	);
}
