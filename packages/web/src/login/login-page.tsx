import type { LoginMethods } from "@rightseat/protocol/http/login-methods";
import { Eye, EyeOff } from "lucide-react";
import { type FormEvent, lazy, Suspense, useEffect, useLayoutEffect, useRef, useState } from "react";
import { api } from "../api/api.ts";
import { hideEarlyBox } from "../early/early-box.ts";
import { useFailureText } from "../i18n/use-failure-text.ts";
import { useLanguage, useWords } from "../i18n/use-words.tsx";
import { useActions } from "../state/use-page.tsx";
import { Button } from "../ui/button.tsx";
import { CopyButton } from "../ui/copy-button.tsx";
import { ErrorBoundary } from "../ui/error-boundary.tsx";
import { IconButton } from "../ui/icon-button.tsx";
import { loginWords } from "./login-messages.ts";
import { loginProblem } from "./login-problem.ts";
import { cameByLoginLink, takeLoginCode } from "./take-login-code.ts";

const PRINT_TOKEN = "cat ~/.rightseat/token";
const AlternativeLogins = lazy(() => import("./alternative-logins.tsx").then((module) => ({ default: module.AlternativeLogins })));

export function LoginPage() {
	const t = useWords(loginWords);
	const say = useFailureText();
	const { login, changeSettings, loadSentences } = useActions();
	const language = useLanguage();
	const [token, setToken] = useState("");
	const [shown, setShown] = useState(false);
	const [busy, setBusy] = useState(false);
	const [problem, setProblem] = useState(() => (cameByLoginLink(history.state) ? t("wrongCode") : ""));
	const box = useRef<HTMLInputElement>(null);
	const [methods, setMethods] = useState<LoginMethods>();
	useLayoutEffect(() => hideEarlyBox(document), []);
	useEffect(() => box.current?.focus(), []);
	useEffect(() => void loadSentences(), [loadSentences]);
	useEffect(() => {
		// Without an answer there is still the token.
		api.loginMethods().then(setMethods, () => setMethods(undefined));
	}, []);

	const enter = async (credentials: { token: string } | { code: string }) => {
		setBusy(true);
		setProblem("");
		try {
			await login(credentials);
		} catch (error) {
			setProblem(loginProblem(error, t("code" in credentials ? "wrongCode" : "wrongToken"), { t, say }));
			box.current?.focus();
		}
		setBusy(false);
	};

	// A login link pasted into this tab changes only the fragment, so the page does not load anew.
	const latest = useRef(enter);
	latest.current = enter;
	useEffect(() => {
		const onHash = () => {
			const code = takeLoginCode(location, history);
			if (code !== undefined) void latest.current({ code });
		};
		window.addEventListener("hashchange", onHash);
		return () => window.removeEventListener("hashchange", onHash);
	}, []);

	const submit = (event: FormEvent) => {
		event.preventDefault();
		if (token.trim() === "") setProblem(t("empty"));
		else void enter({ token: token.trim() });
	};
	return (
		<main className="safe-top safe-bottom flex h-dvh flex-col overflow-y-auto">
			<div className="m-auto w-full max-w-sm px-6 py-10">
				<img src="/icon.svg" alt="" width={52} height={52} className="rounded-xl" />
				<h1 className="pt-5 font-semibold text-xl tracking-tight">{t("title")}</h1>
				<p className="pt-1 text-muted text-sm">{t("intro")}</p>
				<form onSubmit={submit} className="pt-6">
					<label htmlFor="token" className="block pb-1 font-medium text-sm">
						{t("token")}
					</label>
					<div className="relative">
						<input
							ref={box}
							id="token"
							type="text"
							value={token}
							onChange={(event) => setToken(event.target.value)}
							aria-invalid={problem !== ""}
							aria-describedby="login-problem"
							autoComplete="off"
							autoCapitalize="off"
							autoCorrect="off"
							spellCheck={false}
							className={`h-11 w-full rounded-lg border border-line-strong bg-surface pr-11 pl-3 font-mono text-sm pointer-coarse:text-[16px] ${shown ? "" : "[-webkit-text-security:disc]"}`}
						/>
						<IconButton
							label={t(shown ? "hide" : "show")}
							icon={shown ? <EyeOff size={17} /> : <Eye size={17} />}
							className="absolute top-1 right-1"
							onClick={() => setShown(!shown)}
						/>
					</div>
					<p id="login-problem" role="alert" className="min-h-6 pt-1.5 text-danger text-sm">
						{problem}
					</p>
					<Button kind="primary" type="submit" disabled={busy} className="mt-1 min-h-11 w-full">
						{t(busy ? "loggingIn" : "login")}
					</Button>
				</form>
				{(methods?.password === true || methods?.passkey === true) && (
					<ErrorBoundary fallback={null}>
						<Suspense>
							<AlternativeLogins methods={methods} />
						</Suspense>
					</ErrorBoundary>
				)}
				<section className="pt-8 text-muted text-sm">
					<h2 className="font-medium text-ink">{t("where")}</h2>
					<p className="pt-1">{t("whereStart")}</p>
					<p className="pt-2 pb-1.5">{t("whereFile")}</p>
					<div className="flex items-center rounded-lg border bg-code py-0.5 pr-1 pl-3 text-ink">
						<code className="min-w-0 flex-1 wrap-anywhere text-[13px]">{PRINT_TOKEN}</code>
						<CopyButton text={() => PRINT_TOKEN} />
					</div>
					<p className="pt-2">{t("whereOther")}</p>
				</section>
				<Button
					small
					kind="quiet"
					lang={language === "en" ? "zh-Hant" : "en"}
					className="-ml-2.5 mt-6"
					onClick={() => changeSettings({ language: language === "en" ? "zh-Hant" : "en" })}
				>
					{t("language")}
				</Button>
			</div>
		</main>
	);
}
