import type { PermissionRequest } from "@rightseat/protocol/model/ask";
import type { RememberedRule } from "@rightseat/protocol/model/remembered-rule";
import { visibleCommand } from "@rightseat/protocol/visible-command";
import { useWords } from "../../i18n/use-words.tsx";
import { useActions } from "../../state/use-page.tsx";
import { Button } from "../../ui/button.tsx";
import { rememberedWords } from "./remembered-messages.ts";
import { coverageOf } from "./rule-coverage.ts";

interface AlwaysAllowProps {
	rules: readonly RememberedRule[];
	conversationId: string;
	request: PermissionRequest;
}

/** The fourth answer: what exactly would not be asked about again, and where. */
export function AlwaysAllow({ rules, conversationId, request: { requestId } }: AlwaysAllowProps) {
	const t = useWords(rememberedWords);
	const { decide } = useActions();
	return (
		<div className="mt-3 border-t pt-3 text-sm">
			<p id={`offer-${requestId}`} className="text-muted">
				{t("offer")}
			</p>
			<ul aria-labelledby={`offer-${requestId}`} className="grid gap-1 py-2">
				{rules.map((rule) => (
					<li key={JSON.stringify(rule)} className="break-words">
						<code>{visibleCommand(rule.text)}</code>{" "}
						<span className="text-muted">{t(coverageOf(rule), { folder: visibleCommand(rule.folder) })}</span>
					</li>
				))}
			</ul>
			<Button onClick={() => decide({ conversationId, requestId, decision: "approve-once", remember: true })}>{t("alwaysAllow")}</Button>
		</div>
	);
}

/** Beside a call that nobody was asked about: that it was allowed before, and by what. */
export function AllowedBy({ rules }: { rules: readonly RememberedRule[] }) {
	const t = useWords(rememberedWords);
	const told = rules.map((rule) => `${visibleCommand(rule.text)} (${t(coverageOf(rule), { folder: visibleCommand(rule.folder) })})`);
	const said = t("allowedByRule", { rules: told.join("; ") });
	return (
		<span className="tool-more" title={said}>
			<span aria-hidden>{t("allowedBy")}</span>
			<span className="sr-only">{said}</span>
		</span>
	);
}
