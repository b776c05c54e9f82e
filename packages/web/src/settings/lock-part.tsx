import type { WaysIn } from "@rightseat/protocol/http/login";
import { useState } from "react";
import { useFailureText } from "../i18n/use-failure-text.ts";
import { useWords } from "../i18n/use-words.tsx";
import { ConfirmButton } from "./confirm-button.tsx";
import { lockWords } from "./lock-messages.ts";
import { Part } from "./parts.tsx";
import { securityApi } from "./security-api.ts";

/** For somebody who fears that a stranger got in: what is open, and one button that closes all of it. */
export function LockPart({ open, reload }: { open: WaysIn; reload: () => Promise<void> }) {
	const t = useWords(lockWords);
	const say = useFailureText();
	const [note, setNote] = useState({ kind: "done", text: "" });
	const lock = async () => {
		try {
			await securityApi.lock();
			setNote({ kind: "done", text: t("locked") });
		} catch (error) {
			setNote({ kind: "problem", text: t("failed", { message: say(error) }) });
		}
		await reload();
	};
	return (
		<Part title={t("lock")} hint={t("lockHint")}>
			<OpenWays open={open} />
			<ConfirmButton label={t("lock")} question={t("lockAsk")} confirm={t("lockYes")} onConfirm={lock} />
			<p
				role={note.kind === "done" ? "status" : "alert"}
				className={note.kind === "done" ? "pt-2 text-muted text-sm empty:hidden" : "pt-2 text-danger text-sm empty:hidden"}
			>
				{note.text}
			</p>
		</Part>
	);
}

function OpenWays({ open }: { open: WaysIn }) {
	const t = useWords(lockWords);
	const named = (key: "passkeys" | "telegram" | "telegramFixed" | "mcp") =>
		open[key].length === 0 ? [] : [t(key, { count: open[key].length, names: open[key].join(", ") })];
	const lines = [
		t("devices", { count: open.devices }),
		...(open.password ? [t("password")] : []),
		...named("passkeys"),
		...(open.notifications === 0 ? [] : [t("notifications", { count: open.notifications })]),
		...named("telegram"),
		...named("telegramFixed"),
		...named("mcp"),
	];
	return (
		<ul aria-label={t("openWays")} className="list-disc pb-2.5 pl-5 text-sm">
			{lines.map((line) => (
				<li key={line}>{line}</li>
			))}
		</ul>
	);
}
