import type { Params } from "@rightseat/protocol/model/params";
import clsx from "clsx";
import { useErrorText } from "../i18n/use-error-text.ts";
import { useLanguage, useWords } from "../i18n/use-words.tsx";
import { useApp } from "../state/use-page.tsx";
import { Button } from "../ui/button.tsx";
import { WhenLoaded } from "./parts.tsx";
import { settingsApi } from "./settings-api.ts";
import { settingsWords } from "./settings-messages.ts";
import { providerWords, stateWords, telegramState, wordFor } from "./status-messages.ts";
import { useChange } from "./use-change.ts";
import { useLoad } from "./use-load.ts";

export function AboutSection() {
	const t = useWords(settingsWords);
	const change = useChange();
	const language = useLanguage();
	const errorText = useErrorText();
	function part(of: { state?: string; message?: string; code?: string; params?: Params } | undefined): string {
		if (of?.message === undefined) return wordFor(stateWords[language], of?.state ?? "?");
		return errorText({ code: of.code ?? "", message: of.message, params: of.params });
	}
	const online = useApp((state) => state.connection.kind === "open");
	const { loaded, reload } = useLoad(settingsApi.status);
	return (
		<>
			<div className="flex items-center gap-3 pb-4">
				<img src="/icon.svg" alt="" width={44} height={44} className="rounded-xl" />
				<div>
					<p className="font-semibold">Rightseat</p>
					<p className="text-muted text-sm">{t("aboutText")}</p>
				</div>
			</div>
			<WhenLoaded loaded={loaded} reload={reload}>
				{(status) => (
					<dl className="grid gap-y-2 text-sm">
						<Row name={t("version")} value={status.version ?? "?"} />
						<Row name={t("provider")} value={wordFor(providerWords[language], status.provider ?? "?")} />
						<Row name={t("workdir")} value={status.workdir ?? "?"} mono />
						<Row name={t("connection")} value={t(online ? "online" : "offline")} good={online} />
						<Row
							name={t("runtime")}
							value={part(status.runtime)}
							good={!["resting", "stopped", "restarting"].includes(status.runtime?.state ?? "")}
						/>
						<Row name={t("storage")} value={part(status.storage)} good={status.storage?.state === "ok"} />
						{status.telegram !== undefined && (
							<Row
								name="Telegram"
								value={telegramState(language, status.telegram)}
								good={!["degraded", "token-refused"].includes(status.telegram.state ?? "")}
							/>
						)}
						{status.runtime?.state === "resting" && (
							<Button className="justify-self-start" onClick={() => void change(() => settingsApi.wake().then(reload))}>
								{t("wake")}
							</Button>
						)}
					</dl>
				)}
			</WhenLoaded>
		</>
	);
}

function Row({ name, value, good, mono = false }: { name: string; value: string; good?: boolean; mono?: boolean }) {
	return (
		<div className="flex gap-4 border-b pb-2">
			<dt className="w-36 shrink-0 text-muted">{name}</dt>
			<dd className={clsx("flex min-w-0 flex-1 items-center gap-2 break-words", mono && "font-mono text-[13px]")}>
				{good !== undefined && <span aria-hidden className={clsx("size-2 shrink-0 rounded-full", good ? "bg-success" : "bg-warn")} />}
				<span className="min-w-0 break-words">{value}</span>
			</dd>
		</div>
	);
}
