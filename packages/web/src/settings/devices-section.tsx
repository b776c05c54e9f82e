import type { LoginCode } from "@rightseat/protocol/http/login";
import { useState } from "react";
import { useLanguage, useWords } from "../i18n/use-words.tsx";
import { useActions } from "../state/use-page.tsx";
import { Button } from "../ui/button.tsx";
import { CopyButton } from "../ui/copy-button.tsx";
import { deviceName } from "./device-name.ts";
import { isLocalAddress } from "./local-address.ts";
import { Part, WhenLoaded } from "./parts.tsx";
import { qrPath } from "./qr-path.ts";
import { settingsApi } from "./settings-api.ts";
import { settingsWords } from "./settings-messages.ts";
import { useChange } from "./use-change.ts";
import { useLoad } from "./use-load.ts";

export function DevicesSection() {
	const t = useWords(settingsWords);
	const language = useLanguage();
	const { logout, show } = useActions();
	const change = useChange();
	const { loaded, reload } = useLoad(settingsApi.sessions);
	const time = (iso: string) => new Date(iso).toLocaleString(language, { dateStyle: "medium", timeStyle: "short" });
	const leave = (everywhere: boolean) => {
		show({ settingsOpen: false });
		void logout({ everywhere });
	};
	return (
		<>
			<AddDevice />
			<Part title={t("devices")}>
				<WhenLoaded loaded={loaded} reload={reload}>
					{(sessions) => (
						<ul aria-label={t("devices")}>
							{sessions.map((session) => (
								<li key={session.id} className="flex items-center gap-3 py-1.5 text-sm">
									<span className="min-w-0 flex-1">
										<span className="flex flex-wrap items-center gap-x-2 wrap-anywhere">
											{deviceName(session.userAgent)}
											{session.current && (
												<span className="whitespace-nowrap rounded bg-accent-soft px-1.5 text-accent text-xs">{t("thisDevice")}</span>
											)}
										</span>
										<span className="block wrap-anywhere text-muted text-xs">
											{t("lastSeen", { time: time(session.lastSeenAt) })} · {session.address}
										</span>
									</span>
									<Button
										small
										onClick={() => (session.current ? leave(false) : void change(() => settingsApi.endSession(session.id).then(reload)))}
									>
										{t(session.current ? "logOutThis" : "logOut")}
									</Button>
								</li>
							))}
						</ul>
					)}
				</WhenLoaded>
			</Part>
			<Part title={t("logOutEverywhere")} hint={t("logOutEverywhereHint")}>
				<Button kind="danger" onClick={() => leave(true)}>
					{t("logOutEverywhere")}
				</Button>
			</Part>
		</>
	);
}

/** A link that logs another device in, as a code to scan. */
export function AddDevice() {
	const t = useWords(settingsWords);
	const change = useChange();
	const [link, setLink] = useState<LoginCode>();
	return (
		<Part title={t("addDevice")} hint={t("addDeviceHint")}>
			{link === undefined ? (
				<Button onClick={() => void change(async () => setLink(await settingsApi.loginCode()))}>{t("makeLink")}</Button>
			) : (
				<LoginLink link={link} />
			)}
		</Part>
	);
}

function LoginLink({ link }: { link: LoginCode }) {
	const t = useWords(settingsWords);
	const language = useLanguage();
	const qr = qrPath(link.qrSvg);
	return (
		<div className="flex flex-col gap-4 sm:flex-row">
			{qr !== undefined && (
				<svg role="img" aria-label={t("qr")} viewBox={`0 0 ${qr.size} ${qr.size}`} className="size-44 shrink-0 rounded-lg border bg-[#fff]">
					<title>{t("qr")}</title>
					<path d={qr.path} fill="#000" shapeRendering="crispEdges" />
				</svg>
			)}
			<div className="min-w-0 flex-1">
				<div className="flex items-center rounded-lg border bg-code py-0.5 pr-1 pl-3">
					<code className="min-w-0 flex-1 truncate text-[13px]">{link.url}</code>
					<CopyButton label={t("copyLink")} text={() => link.url} />
				</div>
				<p className="pt-2 text-muted text-sm">
					{t("expires", { time: new Date(link.expiresAt).toLocaleTimeString(language, { timeStyle: "short" }) })}
				</p>
				{isLocalAddress(link.url) && <p className="pt-1 text-muted text-sm">{t("loopback")}</p>}
			</div>
		</div>
	);
}
