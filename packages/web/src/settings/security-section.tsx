import { useState } from "react";
import { useFailureText } from "../i18n/use-failure-text.ts";
import { useWords } from "../i18n/use-words.tsx";
import { useActions } from "../state/use-page.tsx";
import { ConfirmButton } from "./confirm-button.tsx";
import { LockPart } from "./lock-part.tsx";
import { Part, WhenLoaded } from "./parts.tsx";
import { PasskeysPart } from "./passkeys-part.tsx";
import { PasswordPart } from "./password-part.tsx";
import { ProgramsPart } from "./programs-part.tsx";
import { securityApi } from "./security-api.ts";
import { securityWords } from "./security-messages.ts";
import { useLoad } from "./use-load.ts";

/** The ways to log in beside the access token, and a new token. */
export function SecuritySection() {
	const { loaded, reload } = useLoad(securityApi.state);
	return (
		<>
			<WhenLoaded loaded={loaded} reload={reload}>
				{({ hasPassword, passkeys }) => (
					<>
						<PasswordPart isSet={hasPassword} reload={reload} />
						<PasskeysPart passkeys={passkeys} reload={reload} />
					</>
				)}
			</WhenLoaded>
			<TokenPart />
			<ProgramsPart />
			{loaded.kind === "ready" && <LockPart open={loaded.value.open} reload={reload} />}
		</>
	);
}

function TokenPart() {
	const t = useWords(securityWords);
	const say = useFailureText();
	const { logout, show } = useActions();
	const [problem, setProblem] = useState("");
	const replace = async () => {
		try {
			await securityApi.replaceToken();
		} catch (error) {
			setProblem(t("failed", { message: say(error) }));
			return;
		}
		show({ settingsOpen: false });
		// The server has ended this login already; this forgets what the device kept.
		await logout();
	};
	return (
		<Part title={t("token")} hint={t("tokenHint")}>
			<ConfirmButton label={t("replaceToken")} question={t("replaceTokenAsk")} confirm={t("replaceTokenYes")} onConfirm={replace} />
			<p role="alert" className="pt-1 text-danger text-sm empty:hidden">
				{problem}
			</p>
		</Part>
	);
}
