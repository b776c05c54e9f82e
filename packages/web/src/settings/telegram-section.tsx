import type { TelegramInfo } from "@rightseat/protocol/http/telegram";
import { useEffect, useState } from "react";
import { useLanguage, useWords } from "../i18n/use-words.tsx";
import { useActions, useApp } from "../state/use-page.tsx";
import { Button } from "../ui/button.tsx";
import { CopyButton } from "../ui/copy-button.tsx";
import { Part, WhenLoaded } from "./parts.tsx";
import { settingsApi } from "./settings-api.ts";
import { settingsWords } from "./settings-messages.ts";
import { telegramState } from "./status-messages.ts";
import { useChange } from "./use-change.ts";
import { useLoad } from "./use-load.ts";

const REFRESH_MS = 3_000;
const SET_TOKEN = "TELEGRAM_BOT_TOKEN=… npx rightseat";
const BOT_FATHER = "https://t.me/BotFather";

export function TelegramSection() {
	const { loaded, reload } = useLoad(settingsApi.telegram);
	// Somebody asks to be let in at this very moment, phone in hand.
	useEffect(() => {
		const timer = setInterval(() => void reload(), REFRESH_MS);
		return () => clearInterval(timer);
	}, [reload]);
	return (
		<WhenLoaded loaded={loaded} reload={reload}>
			{(info) => (info.enabled ? <TelegramOn info={info} reload={reload} /> : <TelegramOff />)}
		</WhenLoaded>
	);
}

function TelegramOff() {
	const t = useWords(settingsWords);
	return (
		<Part title={t("telegramOff")} hint={t("telegramOffHint")}>
			<div className="flex items-center rounded-lg border bg-code py-0.5 pr-1 pl-3">
				<code className="min-w-0 flex-1 wrap-anywhere text-[13px]">{SET_TOKEN}</code>
				<CopyButton text={() => SET_TOKEN} />
			</div>
			<a href={BOT_FATHER} target="_blank" rel="noreferrer" className="mt-2 inline-block text-accent text-sm underline">
				{t("openBotFather")}
			</a>
		</Part>
	);
}

function TelegramOn({ info, reload }: { info: TelegramInfo; reload: () => Promise<void> }) {
	const t = useWords(settingsWords);
	const change = useChange();
	const language = useLanguage();
	const bot = info.status?.botUsername;
	return (
		<>
			<Part title={bot === undefined ? t("bot") : `@${bot}`} hint={telegramState(language, info.status)}>
				{bot !== undefined && (
					<a href={`https://t.me/${encodeURIComponent(bot)}`} target="_blank" rel="noreferrer" className="text-accent text-sm underline">
						{t("openBot")}
					</a>
				)}
			</Part>
			{info.pairing === false ? <Part title={t("pairingOff")} hint={t("pairingOffHint")} /> : <Pairing info={info} reload={reload} />}
			<Part title={t("people")}>
				{info.people.length === 0 && <p className="text-muted text-sm">{t("noPeople")}</p>}
				<ul>
					{info.people.map((person) => (
						<li key={person.userId} className="flex min-h-9 items-center gap-3 text-sm">
							<span className="min-w-0 flex-1 truncate">
								{person.name} <span className="text-muted text-xs">{person.userId}</span>
							</span>
							{person.fixed === true ? (
								<span className="text-muted text-xs">{t("fixed")}</span>
							) : (
								<Button small kind="quiet" onClick={() => void change(() => settingsApi.unpair(person.userId).then(reload))}>
									{t("remove")}
								</Button>
							)}
						</li>
					))}
				</ul>
			</Part>
			<LinkConversation />
		</>
	);
}

/** Names are free text, so that only the code tells who waits: it is typed, not picked. */
function Pairing({ info, reload }: { info: TelegramInfo; reload: () => Promise<void> }) {
	const t = useWords(settingsWords);
	const { toast } = useActions();
	const change = useChange();
	const [code, setCode] = useState("");
	const pair = () =>
		void change(async () => {
			const { name } = await settingsApi.pair(code.trim());
			toast({ kind: "info", text: t("paired", { name }) });
			setCode("");
			await reload();
		});
	return (
		<Part title={t("waiting")} hint={info.pending.length === 0 ? t("noWaiting") : t("typeCode")}>
			<ul>
				{info.pending.map((person) => (
					<li key={person.userId} className="truncate py-1.5 text-sm">
						{person.name} {person.username !== undefined && <span className="text-muted">@{person.username}</span>}{" "}
						<span className="text-muted text-xs">{person.userId}</span>
					</li>
				))}
			</ul>
			<form
				className="flex gap-2 pt-2"
				onSubmit={(event) => {
					event.preventDefault();
					if (code.trim() !== "") pair();
				}}
			>
				<input
					aria-label={t("pairByCode")}
					placeholder={t("pairByCode")}
					autoComplete="off"
					spellCheck={false}
					maxLength={50}
					value={code}
					onChange={(event) => setCode(event.target.value)}
					className="h-9 min-w-0 flex-1 rounded-lg border bg-bg px-3 font-mono text-sm placeholder:font-sans placeholder:text-muted"
				/>
				<Button type="submit">{t("letIn")}</Button>
			</form>
		</Part>
	);
}

function LinkConversation() {
	const t = useWords(settingsWords);
	const change = useChange();
	const openId = useApp((state) => state.openId);
	const [command, setCommand] = useState<string>();
	return (
		<Part title={t("linkThis")} hint={t("linkHint")}>
			{command === undefined ? (
				<Button
					disabled={openId === undefined}
					onClick={() =>
						void change(async () => {
							if (openId !== undefined) setCommand(`/link ${(await settingsApi.linkCode(openId)).code}`);
						})
					}
				>
					{t("linkThis")}
				</Button>
			) : (
				<p className="flex items-center gap-2 text-sm">
					{t("linkCode", { command })}
					<CopyButton text={() => command} />
				</p>
			)}
		</Part>
	);
}
