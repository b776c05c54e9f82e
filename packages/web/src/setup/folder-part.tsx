import type { FolderSetupAnswer, FolderSetupItem } from "@rightseat/protocol/http/folders";
import type { ConversationSetup } from "@rightseat/protocol/http/setup";
import type { Conversation } from "@rightseat/protocol/model/conversation";
import { ShieldAlert, ShieldCheck } from "lucide-react";
import { useState } from "react";
import { useFailureText } from "../i18n/use-failure-text.ts";
import { useWords } from "../i18n/use-words.tsx";
import { COPILOT } from "../state/agent.ts";
import { Button } from "../ui/button.tsx";
import { Visible } from "../ui/visible.tsx";
import { FoundList } from "./found-list.tsx";
import { needsTrust, placeOf, setupApi, startsProgram } from "./setup-api.ts";
import { setupWords } from "./setup-messages.ts";
import { useFolderSetup } from "./use-folder-setup.ts";

/** What the folder brings, and whether that is on. */
export function FolderPart({ conversation, given }: { conversation: Conversation; given: ConversationSetup | undefined }) {
	const t = useWords(setupWords);
	const { setup, problem, reload } = useFolderSetup(conversation);
	if (setup === undefined) {
		return problem === "" ? (
			<p className="text-muted text-sm">{t("loading")}</p>
		) : (
			<p role="alert" className="text-danger text-sm">
				{problem}
			</p>
		);
	}
	const { trusted } = setup;
	const found = given === undefined ? setup.found : setup.found.filter((item) => !standsBelow(item, trusted));
	return (
		<section aria-label={t("folder")}>
			<h3 className="font-medium text-sm">{t("folder")}</h3>
			<p className="truncate pt-0.5 font-mono text-muted text-xs" title={setup.path}>
				<Visible text={setup.path} />
			</p>
			<TrustState {...{ conversation, setup, reload }} />
			<FoundList title={t(trusted ? "runs" : "wouldRun")} items={found.filter(startsProgram)} />
			<FoundList title={t(trusted ? "offers" : "offered")} items={found.filter((item) => needsTrust(item) && !startsProgram(item))} />
			<FoundList title={t("read")} items={found.filter((item) => !needsTrust(item))} />
			{setup.more === true && <p className="pt-3 text-muted text-sm">{t("more")}</p>}
		</section>
	);
}

/** What is on is listed below, with how it is; hooks and language servers have no such state. */
const standsBelow = ({ kind }: FolderSetupItem, isTrusted: boolean) =>
	kind === "instructions" || (isTrusted && kind !== "hook" && kind !== "lsp");

function TrustState(props: { conversation: Conversation; setup: FolderSetupAnswer; reload: () => Promise<void> }) {
	const { conversation, setup, reload } = props;
	const { found, trusted } = setup;
	const t = useWords(setupWords);
	const say = useFailureText();
	const [note, setNote] = useState({ problem: "", done: "" });
	const [busy, setBusy] = useState(false);
	const change = async () => {
		setBusy(true);
		try {
			await setupApi.trust({ ...placeOf(conversation), path: setup.path }, !trusted);
			setNote({ problem: "", done: t(trusted ? "nowUntrusted" : "nowTrusted") });
			await reload();
		} catch (error) {
			setNote({ problem: t("failed", { message: say(error) }), done: "" });
		}
		setBusy(false);
	};
	const matters = found.some(needsTrust);
	if (!matters && !trusted) return <p className="pt-2 text-sm">{t(found.length === 0 ? "nothing" : "onlyRead")}</p>;
	const Icon = trusted ? ShieldCheck : ShieldAlert;
	return (
		<div className="mt-2.5 rounded-lg border p-3 text-sm">
			<p className="flex items-start gap-2">
				<Icon size={16} aria-hidden className={trusted ? "mt-0.5 shrink-0 text-accent" : "mt-0.5 shrink-0 text-warn"} />
				<span className="min-w-0 flex-1">{t(trusted ? "trusted" : "untrusted")}</span>
			</p>
			<p className="pt-1 text-muted text-xs">{trusted ? t("now") : `${t("unseen")} ${t("later")}`}</p>
			{(conversation.agent ?? COPILOT) !== COPILOT && <p className="pt-1 text-muted text-xs">{t("other")}</p>}
			<Button small kind={trusted ? "plain" : "primary"} className="mt-2.5" disabled={busy} onClick={() => void change()}>
				{t(trusted ? "untrust" : "trust")}
			</Button>
			<p role="alert" className="pt-2 text-danger text-sm empty:hidden">
				{note.problem}
			</p>
			<p aria-live="polite" className="pt-2 text-muted text-sm empty:hidden">
				{note.done}
			</p>
		</div>
	);
}
