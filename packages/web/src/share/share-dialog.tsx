import type { Share } from "@rightseat/protocol/http/shares";
import { useCallback, useEffect, useState } from "react";
import { useFailureText } from "../i18n/use-failure-text.ts";
import { useLanguage, useWords } from "../i18n/use-words.tsx";
import { COPILOT, openAgent } from "../state/agent.ts";
import { useUiSet } from "../state/ui-slice.tsx";
import { useActions, useApp } from "../state/use-page.tsx";
import { Button } from "../ui/button.tsx";
import { CopyButton } from "../ui/copy-button.tsx";
import { Dialog } from "../ui/dialog.tsx";
import { HandOverToCli } from "./hand-over.tsx";
import { shareApi } from "./share-api.ts";
import { shareWords } from "./share-messages.ts";

const HOURS = [1, 24, 168, 720] as const;

/** A conversation for others: as a file, looked at first, or by a link to watch. */
export function ShareDialog() {
	const t = useWords(shareWords);
	const language = useLanguage();
	const setUi = useUiSet();
	const id = useApp((state) => state.openId);
	const isCopilot = useApp((state) => openAgent(state) === COPILOT);
	const [withPictures, setWithPictures] = useState(true);
	if (id === undefined) return null;
	const link = "inline-flex min-h-9 items-center rounded-lg border border-line px-3.5 font-medium text-sm hover:bg-hover";
	return (
		<Dialog open onClose={() => setUi({ dialog: undefined })} title={t("title")}>
			<div className="flex min-h-0 flex-col gap-3 overflow-y-auto p-5">
				<h3 className="font-medium text-sm">{t("fileTitle")}</h3>
				<p className="text-muted text-sm">{t("fileHint")}</p>
				<label className="flex min-h-7 items-center gap-2 text-sm">
					<input type="checkbox" checked={withPictures} onChange={(event) => setWithPictures(event.target.checked)} />
					{t("pictures")}
				</label>
				<div className="flex gap-2">
					<a className={link} href={shareApi.fileUrl(id, language, { isPreview: true, withPictures })} target="_blank" rel="noopener">
						{t("preview")}
					</a>
					<a className={link} href={shareApi.fileUrl(id, language, { isPreview: false, withPictures })} download>
						{t("save")}
					</a>
				</div>
				<Links key={id} id={id} />
				{isCopilot && <HandOverToCli key={`${id} cli`} id={id} />}
			</div>
		</Dialog>
	);
}

function Links({ id }: { id: string }) {
	const t = useWords(shareWords);
	const say = useFailureText();
	const { toast } = useActions();
	const [shares, setShares] = useState<readonly Share[]>([]);
	const [made, setMade] = useState<string>();
	const [hours, setHours] = useState<number>(24);
	const [busy, setBusy] = useState(false);
	const fail = useCallback((error: unknown) => toast({ kind: "error", text: t("failed", { message: say(error) }) }), [say, t, toast]);
	const look = useCallback(() => shareApi.list(id).then(setShares, fail), [id, fail]);
	useEffect(() => void look(), [look]);
	const attempt = async (work: () => Promise<void>) => {
		setBusy(true);
		await work().catch(fail);
		await look();
		setBusy(false);
	};
	const make = async () => setMade(`${location.origin}${(await shareApi.make(id, hours)).path}`);
	return (
		<>
			<h3 className="mt-2 font-medium text-sm">{t("linkTitle")}</h3>
			<p className="text-muted text-sm">{t("linkHint")}</p>
			<div className="flex items-center gap-2">
				<label className="flex items-center gap-2 text-sm">
					{t("time")}
					<select
						className="rounded-lg border bg-transparent px-2 py-1.5"
						value={hours}
						onChange={(event) => setHours(Number(event.target.value))}
					>
						{HOURS.map((count) => (
							<option key={count} value={count}>
								{count < 24 ? t("hours", { count }) : t("days", { count: count / 24 })}
							</option>
						))}
					</select>
				</label>
				<Button disabled={busy} onClick={() => void attempt(make)}>
					{t("make")}
				</Button>
			</div>
			{made !== undefined && (
				<div role="status" className="rounded-lg border p-3 text-sm">
					<p className="flex items-center gap-2">
						<code className="min-w-0 flex-1 break-all text-xs">{made}</code>
						<CopyButton label={t("copy")} text={async () => made} />
					</p>
					<p className="text-muted text-xs">{t("once")}</p>
				</div>
			)}
			<ul>
				{shares.map((share) => (
					<li key={share.id} className="flex items-center gap-2 py-1 text-sm">
						<span className="min-w-0 flex-1">
							{t("until", { time: timeOf(share.expiresAt) })}
							<span className="text-muted">
								{" "}
								· {share.lastUsedAt === null ? t("unused") : t("used", { time: timeOf(share.lastUsedAt) })}
							</span>
						</span>
						<Button small disabled={busy} onClick={() => void attempt(() => shareApi.end(share.id))}>
							{t("end")}
						</Button>
					</li>
				))}
			</ul>
		</>
	);
}

const timeOf = (at: string) =>
	new Date(at).toLocaleString(document.documentElement.lang || undefined, { dateStyle: "medium", timeStyle: "short" });
