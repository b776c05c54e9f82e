import type { UsageKey, UsageRow } from "@rightseat/protocol/http/usage";
import { useState } from "react";
import { OfflineHosts } from "../fleet/offline-hosts.tsx";
import { useLanguage, useWords } from "../i18n/use-words.tsx";
import { Choice, Part, WhenLoaded } from "../settings/parts.tsx";
import { useChange } from "../settings/use-change.ts";
import { useLoad } from "../settings/use-load.ts";
import { useUi } from "../state/ui-slice.tsx";
import { useActions, useApp } from "../state/use-page.tsx";
import { LimitForm, type TypedLimits } from "./limit-form.tsx";
import { usageApi } from "./usage-api.ts";
import { lastDays, UsageChart } from "./usage-chart.tsx";
import { usageWords } from "./usage-messages.ts";

const CHART_DAYS = 30;
const KEYS: readonly UsageKey[] = ["day", "model", "agent", "conversation"];
/** Rows of the table; programs get all of them. */
const MAX_SHOWN_ROWS = 100;

/** What was used, and the limits: of the conversation on screen, or whose menu was opened, and of a day. */
export function UsageSection() {
	const openId = useApp((state) => state.openId);
	const wanted = useUi((state) => state.budgetOf);
	const id = wanted ?? openId;
	return (
		<>
			{id !== undefined && <ConversationLimits key={id} id={id} />}
			<DayLimits />
			<Used />
		</>
	);
}

function ConversationLimits({ id }: { id: string }) {
	const t = useWords(usageWords);
	const conversation = useApp((state) => state.conversations[id]);
	const { updateConversation } = useActions();
	const { loaded, reload } = useLoad(() => usageApi.rows({ by: "conversation", conversation: id }));
	if (conversation === undefined) return null;
	const { tokens, cost } = conversation.budget ?? {};
	return (
		<Part title={t("ofConversation", { title: conversation.title || t("unnamed") })} hint={t("ofConversationHint")}>
			<LimitForm
				limits={{ tokens, cost }}
				onSave={(limits) => updateConversation(id, { budget: limits.tokens === undefined && limits.cost === undefined ? null : limits })}
			/>
			<WhenLoaded loaded={loaded} reload={reload}>
				{([row]) => (
					<p className="pt-2 text-muted text-sm">
						{t("usedSoFar", { tokens: (row?.inputTokens ?? 0) + (row?.outputTokens ?? 0) })}
						{row?.cost !== undefined && ` · ${t("costSoFar", { cost: row.cost })}`}
					</p>
				)}
			</WhenLoaded>
		</Part>
	);
}

function DayLimits() {
	const t = useWords(usageWords);
	const change = useChange();
	const { loaded, reload, set } = useLoad(usageApi.day);
	const save = ({ tokens, cost }: TypedLimits) =>
		change(async () =>
			set(
				await usageApi.setDay({
					...(tokens === undefined ? {} : { tokensPerDay: tokens }),
					...(cost === undefined ? {} : { costPerDay: cost }),
				}),
			),
		);
	return (
		<Part title={t("ofDay")} hint={t("ofDayHint")}>
			<WhenLoaded loaded={loaded} reload={reload}>
				{({ tokensPerDay, costPerDay }) => <LimitForm limits={{ tokens: tokensPerDay, cost: costPerDay }} onSave={save} />}
			</WhenLoaded>
		</Part>
	);
}

function Used() {
	const t = useWords(usageWords);
	const [by, setBy] = useState<UsageKey>("model");
	const [days] = useState(() => lastDays(CHART_DAYS, Date.now()));
	const chart = useLoad(() => usageApi.rows({ by: "day", from: days[0] ?? "" }));
	return (
		<Part title={t("used")}>
			<WhenLoaded loaded={chart.loaded} reload={chart.reload}>
				{(rows) => <UsageChart days={days} rows={rows} />}
			</WhenLoaded>
			<div className="py-3">
				<Choice name={t("by")} value={by} options={KEYS.map((value) => ({ value, label: t(`by.${value}`) }))} onChange={setBy} />
			</div>
			<UsedTable key={by} by={by} />
			<OfflineHosts />
		</Part>
	);
}

function UsedTable({ by }: { by: UsageKey }) {
	const t = useWords(usageWords);
	const { loaded, reload } = useLoad(() => usageApi.rows({ by }));
	return (
		<WhenLoaded loaded={loaded} reload={reload}>
			{(rows) => {
				if (rows.length === 0) return <p className="text-muted text-sm">{t("nothing")}</p>;
				const shown = by === "day" ? rows.slice(-MAX_SHOWN_ROWS).reverse() : rows.slice(0, MAX_SHOWN_ROWS);
				const hasCost = shown.some(({ cost }) => cost !== undefined);
				return (
					<div className="overflow-x-auto">
						<table className="w-full text-sm">
							<thead>
								<tr className="text-left text-muted text-xs">
									<th scope="col">{t(`by.${by}`)}</th>
									<th scope="col" className="text-right">
										{t("input")}
									</th>
									<th scope="col" className="text-right">
										{t("output")}
									</th>
									{hasCost && (
										<th scope="col" className="text-right">
											{t("cost")}
										</th>
									)}
								</tr>
							</thead>
							<tbody>
								{shown.map((row) => (
									<UsedRow key={row.key} row={row} hasCost={hasCost} />
								))}
							</tbody>
						</table>
					</div>
				);
			}}
		</WhenLoaded>
	);
}

function UsedRow({ row, hasCost }: { row: UsageRow; hasCost: boolean }) {
	const t = useWords(usageWords);
	const language = useLanguage();
	const { key, title, inputTokens, outputTokens, cost } = row;
	return (
		<tr className="border-t">
			<th scope="row" className="max-w-48 truncate py-1 pr-2 text-left font-normal">
				{title || key || t("unknown")}
			</th>
			<td className="text-right tabular-nums">{inputTokens.toLocaleString(language)}</td>
			<td className="text-right tabular-nums">{outputTokens.toLocaleString(language)}</td>
			{hasCost && <td className="text-right tabular-nums">{cost?.toLocaleString(language) ?? "–"}</td>}
		</tr>
	);
}
