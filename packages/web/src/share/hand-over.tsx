import { handOverAnswer } from "@rightseat/protocol/http/agents";
import { useState } from "react";
import { requestJson } from "../api/request.ts";
import { useFailureText } from "../i18n/use-failure-text.ts";
import { useWords } from "../i18n/use-words.tsx";
import { Button } from "../ui/button.tsx";
import { CopyButton } from "../ui/copy-button.tsx";
import { shareWords } from "./share-messages.ts";

/** Gives a conversation with Copilot to the CLI of its machine, and shows what to type there. */
export function HandOverToCli({ id }: { id: string }) {
	const t = useWords(shareWords);
	const say = useFailureText();
	const [made, setMade] = useState<{ command: string; isCopy: boolean }>();
	const [problem, setProblem] = useState("");
	const [busy, setBusy] = useState(false);
	const handOver = async () => {
		setBusy(true);
		setProblem("");
		try {
			setMade(await requestJson(`/api/conversations/${encodeURIComponent(id)}/handover`, handOverAnswer, { method: "POST" }));
		} catch (error) {
			setProblem(t("failed", { message: say(error) }));
		}
		setBusy(false);
	};
	return (
		<>
			<h3 className="mt-2 font-medium text-sm">{t("cliTitle")}</h3>
			<p className="text-muted text-sm">{t("cliHint")}</p>
			<div>
				<Button disabled={busy} onClick={() => void handOver()}>
					{t("cliCopy")}
				</Button>
			</div>
			<p role="alert" className="text-danger text-sm empty:hidden">
				{problem}
			</p>
			{made !== undefined && (
				<div role="status" className="rounded-lg border p-3 text-sm">
					<p className="flex items-center gap-2">
						<code className="min-w-0 flex-1 break-all text-xs">{made.command}</code>
						<CopyButton label={t("cliCopyCommand")} text={() => made.command} />
					</p>
					<p className="text-muted text-xs">{t(made.isCopy ? "cliApart" : "cliRun")}</p>
				</div>
			)}
		</>
	);
}
