import { useWords } from "../i18n/use-words.tsx";
import { Choice, WhenLoaded } from "../settings/parts.tsx";
import { settingsApi } from "../settings/settings-api.ts";
import { useChange } from "../settings/use-change.ts";
import { useLoad } from "../settings/use-load.ts";
import { welcomeWords } from "./welcome-messages.ts";

/** What the agent may do by itself, said in words. */
export function TrustStep() {
	const t = useWords(welcomeWords);
	const change = useChange();
	const { loaded, reload, set } = useLoad(settingsApi.settings);
	return (
		<WhenLoaded loaded={loaded} reload={reload}>
			{(server) => (
				<Choice
					name={t("title.trust")}
					value={server.permissions}
					onChange={(permissions) => void change(async () => set(await settingsApi.change({ permissions })))}
					options={[
						{ value: "ask", label: t("trust.ask"), hint: t("trust.askHint") },
						{ value: "auto", label: t("trust.auto"), hint: t("trust.autoHint") },
					]}
				/>
			)}
		</WhenLoaded>
	);
}
