import { useFailureText } from "../i18n/use-failure-text.ts";
import { useWords } from "../i18n/use-words.tsx";
import { type PushState, pushState, turnPushOff, turnPushOn } from "../pwa/push.ts";
import { useActions } from "../state/use-page.tsx";
import { Part, Toggle, WhenLoaded } from "./parts.tsx";
import { settingsApi } from "./settings-api.ts";
import { settingsWords } from "./settings-messages.ts";
import { useChange } from "./use-change.ts";
import { useLoad } from "./use-load.ts";

export function NotificationSection() {
	const t = useWords(settingsWords);
	const say = useFailureText();
	const { toast } = useActions();
	const change = useChange();
	const push = useLoad(pushState);
	const server = useLoad(settingsApi.settings);

	const switchPush = async (on: boolean) => {
		try {
			push.set(await (on ? turnPushOn() : turnPushOff()));
		} catch (error) {
			toast({ kind: "error", text: t("pushFailed", { message: say(error) }) });
		}
	};
	return (
		<>
			<Part title={t("notifications")} hint={t("pushHint")}>
				<WhenLoaded loaded={push.loaded} reload={push.reload}>
					{(state: PushState) =>
						state === "unsupported" || state === "denied" ? (
							<p className="rounded-lg bg-sunken px-3 py-2 text-sm">{t(state === "denied" ? "pushDenied" : "pushUnsupported")}</p>
						) : (
							<Toggle label={t("pushOn")} checked={state === "on"} onChange={(on) => void switchPush(on)} />
						)
					}
				</WhenLoaded>
				<WhenLoaded loaded={server.loaded} reload={server.reload}>
					{(settings) => (
						<>
							{(["notifyTurnEnd", "notifyQuestion"] as const).map((key) => (
								<Toggle
									key={key}
									label={t(key)}
									checked={settings[key]}
									onChange={(on) => void change(async () => server.set(await settingsApi.change({ [key]: on })))}
								/>
							))}
						</>
					)}
				</WhenLoaded>
			</Part>
			<Part title={t("install")} hint={t("installHint")} />
		</>
	);
}
