import type { AuditEntry } from "@rightseat/protocol/http/app";
import { useState } from "react";
import { useLanguage, useWords } from "../i18n/use-words.tsx";
import { useApp } from "../state/use-page.tsx";
import { Button } from "../ui/button.tsx";
import { auditText } from "./audit-text.ts";
import { WhenLoaded } from "./parts.tsx";
import { settingsApi } from "./settings-api.ts";
import { settingsWords } from "./settings-messages.ts";
import { auditWords, wordFor } from "./status-messages.ts";
import { useChange } from "./use-change.ts";
import { useLoad } from "./use-load.ts";

/** The audit log. */
export function ActivitySection() {
	const t = useWords(settingsWords);
	const language = useLanguage();
	const change = useChange();
	const conversations = useApp((state) => state.conversations);
	const [older, setOlder] = useState<{ entries: AuditEntry[]; nextCursor?: string | undefined }>();
	const { loaded, reload } = useLoad(() => settingsApi.audit());
	return (
		<>
			<p className="pb-3 text-muted text-sm">{t("activityHint")}</p>
			<WhenLoaded loaded={loaded} reload={reload}>
				{(first) => {
					const entries = [...first.entries, ...(older?.entries ?? [])];
					const cursor = older === undefined ? first.nextCursor : older.nextCursor;
					if (entries.length === 0) return <p className="text-muted text-sm">{t("activityEmpty")}</p>;
					return (
						<>
							<ol aria-label={t("activity")} className="text-sm">
								{entries.map((entry) => {
									const said = auditText(entry, { language, titleOf: (id) => conversations[id]?.title });
									return (
										<li key={entry.id} className="border-b py-1.5 last:border-0 sm:flex sm:gap-3">
											<time dateTime={entry.at} className="block shrink-0 text-muted sm:w-32 text-xs leading-5 tabular-nums">
												{new Date(entry.at).toLocaleString(language, {
													month: "short",
													day: "numeric",
													hour: "2-digit",
													minute: "2-digit",
												})}
											</time>
											<span className="min-w-0 flex-1">
												<span className="mr-2 font-medium text-xs">{wordFor(auditWords[language], entry.kind)}</span>
												<span className="break-words text-[13px]">{said.detail}</span>
												<span className="block text-muted text-xs">{said.source}</span>
											</span>
										</li>
									);
								})}
							</ol>
							{cursor !== undefined && (
								<Button
									small
									className="mt-3"
									onClick={() =>
										void change(async () => {
											const page = await settingsApi.audit(cursor);
											setOlder({ entries: [...(older?.entries ?? []), ...page.entries], nextCursor: page.nextCursor });
										})
									}
								>
									{t("more")}
								</Button>
							)}
						</>
					);
				}}
			</WhenLoaded>
		</>
	);
}
