import type { Passkey } from "@rightseat/protocol/http/login";
import { type FormEvent, useState } from "react";
import { useFailureText } from "../i18n/use-failure-text.ts";
import { useLanguage, useWords } from "../i18n/use-words.tsx";
import { passkeyProblem, passkeysWork } from "../passkey/passkey.ts";
import { Button } from "../ui/button.tsx";
import { ConfirmButton } from "./confirm-button.tsx";
import { deviceName } from "./device-name.ts";
import { Part } from "./parts.tsx";
import { securityApi } from "./security-api.ts";
import { securityWords } from "./security-messages.ts";

const MAX_NAME_CHARS = 100;

export function PasskeysPart({ passkeys, reload }: { passkeys: readonly Passkey[]; reload: () => Promise<void> }) {
	const t = useWords(securityWords);
	const say = useFailureText();
	const [problem, setProblem] = useState("");
	const [done, setDone] = useState("");

	const change = async (run: () => Promise<unknown>, outcome: string) => {
		setProblem("");
		setDone("");
		try {
			await run();
			setDone(outcome);
		} catch (error) {
			const known = passkeyProblem(error);
			setProblem(known === undefined ? t("failed", { message: say(error) }) : t(known));
		}
		await reload();
	};
	return (
		<Part title={t("passkeys")} hint={t("passkeysHint")}>
			{passkeys.length === 0 ? (
				<p className="text-sm">{t("noPasskeys")}</p>
			) : (
				<ul aria-label={t("passkeys")}>
					{passkeys.map((passkey) => (
						<PasskeyRow
							key={passkey.id}
							passkey={passkey}
							remove={() => change(() => securityApi.removePasskey(passkey.id), t("passkeyRemoved", { name: passkey.name }))}
						/>
					))}
				</ul>
			)}
			{passkeysWork() ? (
				<AddPasskey add={(name) => change(() => securityApi.addPasskey(name), t("passkeyAdded", { name }))} />
			) : (
				<p className="pt-2 text-muted text-sm">{t("noPasskeysHere")}</p>
			)}
			<p role="alert" className="pt-2 text-danger text-sm empty:hidden">
				{problem}
			</p>
			<p aria-live="polite" className="pt-2 text-muted text-sm empty:hidden">
				{done}
			</p>
		</Part>
	);
}

function PasskeyRow({ passkey, remove }: { passkey: Passkey; remove: () => Promise<void> }) {
	const t = useWords(securityWords);
	const language = useLanguage();
	const { name, host, createdAt } = passkey;
	const time = new Date(createdAt).toLocaleDateString(language, { dateStyle: "medium" });
	return (
		<li className="flex flex-wrap items-center gap-x-3 gap-y-2 py-1.5 text-sm">
			<span className="min-w-0 flex-1">
				<span className="block truncate">{name}</span>
				<span className="block truncate text-muted text-xs">{t("added", { time, host })}</span>
			</span>
			<ConfirmButton
				small
				label={t("remove")}
				name={t("removeNamed", { name })}
				question={t("removePasskeyAsk", { name })}
				confirm={t("remove")}
				onConfirm={remove}
			/>
		</li>
	);
}

function AddPasskey({ add }: { add: (name: string) => Promise<void> }) {
	const t = useWords(securityWords);
	const ownName = deviceName(navigator.userAgent);
	const [name, setName] = useState(ownName);
	const [busy, setBusy] = useState(false);
	const submit = async (event: FormEvent) => {
		event.preventDefault();
		setBusy(true);
		await add(name.trim() || ownName);
		setBusy(false);
	};
	return (
		<form onSubmit={(event) => void submit(event)} className="flex flex-wrap gap-2 pt-2.5">
			<input
				aria-label={t("passkeyName")}
				value={name}
				maxLength={MAX_NAME_CHARS}
				onChange={(event) => setName(event.target.value)}
				className="h-9 min-w-0 flex-1 rounded-lg border bg-bg px-3 text-sm pointer-coarse:text-[16px]"
			/>
			<Button type="submit" disabled={busy}>
				{t(busy ? "adding" : "addPasskey")}
			</Button>
		</form>
	);
}
