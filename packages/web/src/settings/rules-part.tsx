import { type PermissionRules, permissionRulesAnswer } from "@rightseat/protocol/http/permissions";
import { visibleCommand } from "@rightseat/protocol/visible-command";
import { useState } from "react";
import { request, requestJson } from "../api/request.ts";
import { useFailureText } from "../i18n/use-failure-text.ts";
import { useWords } from "../i18n/use-words.tsx";
import { rememberedWords } from "../transcript/cards/remembered-messages.ts";
import { coverageOf } from "../transcript/cards/rule-coverage.ts";
import { ConfirmButton } from "./confirm-button.tsx";
import { Part, Told, WhenLoaded } from "./parts.tsx";
import { rulesWords } from "./rules-messages.ts";
import { useLoad } from "./use-load.ts";

type Rule = PermissionRules["folders"][number]["rules"][number];

/** What is allowed for good, by folder; nothing is shown before there is something. */
export function RulesPart() {
	const t = useWords(rulesWords);
	const say = useFailureText();
	const { loaded, reload } = useLoad(() => requestJson("/api/permissions", permissionRulesAnswer));
	const [note, setNote] = useState({ problem: "", done: "" });
	const takeBack = async (rule: Rule) => {
		try {
			await request(`/api/permissions/${encodeURIComponent(rule.id)}`, { method: "DELETE" });
			setNote({ problem: "", done: t("takenBack", { rule: visibleCommand(rule.text) }) });
		} catch (error) {
			setNote({ problem: t("failed", { message: say(error) }), done: "" });
		}
		await reload();
	};
	if (loaded.kind === "ready" && loaded.value.folders.length === 0 && note.problem + note.done === "") return null;
	return (
		<Part title={t("rules")} hint={t("rulesHint")}>
			<WhenLoaded loaded={loaded} reload={reload}>
				{({ folders }) => folders.map((folder) => <Folder key={folder.path} {...folder} takeBack={takeBack} />)}
			</WhenLoaded>
			<Told {...note} />
		</Part>
	);
}

function Folder({ path, rules, takeBack }: PermissionRules["folders"][number] & { takeBack: (rule: Rule) => Promise<void> }) {
	const t = useWords(rulesWords);
	const covers = useWords(rememberedWords);
	const folder = visibleCommand(path);
	return (
		<ul aria-label={folder}>
			{rules.map((rule) => (
				<li key={rule.id} className="flex flex-wrap items-center gap-x-3 gap-y-2 py-1.5 text-sm">
					<span className="min-w-0 flex-1">
						<code className="block break-words">{visibleCommand(rule.text)}</code>
						<span className="block break-words text-muted text-xs">{covers(coverageOf(rule), { folder })}</span>
					</span>
					<ConfirmButton
						small
						label={t("takeBack")}
						name={t("takeBackNamed", { rule: visibleCommand(rule.text) })}
						question={t("takeBackAsk", { rule: visibleCommand(rule.text) })}
						confirm={t("takeBack")}
						onConfirm={() => takeBack(rule)}
					/>
				</li>
			))}
		</ul>
	);
}
