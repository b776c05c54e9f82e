import { useRunCommand } from "../commands/use-commands.ts";
import { useWords } from "../i18n/use-words.tsx";
import { useUiSet } from "../state/ui-slice.tsx";
import { useActions, useApp } from "../state/use-page.tsx";
import { Button } from "../ui/button.tsx";
import { Choice, Part, Toggle, WhenLoaded } from "./parts.tsx";
import { RulesPart } from "./rules-part.tsx";
import { settingsApi } from "./settings-api.ts";
import { settingsWords } from "./settings-messages.ts";
import { useChange } from "./use-change.ts";
import { useLoad } from "./use-load.ts";

export function GeneralSection() {
	const t = useWords(settingsWords);
	const { changeSettings, show } = useActions();
	const run = useRunCommand();
	const settings = useApp((state) => state.settings);
	const { loaded, reload, set } = useLoad(settingsApi.settings);
	const change = useChange();
	return (
		<>
			<Part title={t("theme")}>
				<Choice
					name={t("theme")}
					value={settings.theme}
					onChange={(theme) => changeSettings({ theme })}
					options={[
						{ value: "system", label: t("system") },
						{ value: "light", label: t("light") },
						{ value: "dark", label: t("dark") },
					]}
				/>
			</Part>
			<Part title={t("language")}>
				<Choice
					name={t("language")}
					value={settings.language}
					onChange={(language) => changeSettings({ language })}
					options={[
						{ value: "system", label: t("languageSystem") },
						{ value: "en", label: "English" },
						{ value: "zh-Hant", label: "繁體中文" },
					]}
				/>
			</Part>
			<Part title={t("permissions")} hint={t("permissionsHint")}>
				<WhenLoaded loaded={loaded} reload={reload}>
					{(server) => (
						<Choice
							name={t("permissions")}
							value={server.permissions}
							onChange={(permissions) => void change(async () => set(await settingsApi.change({ permissions })))}
							options={[
								{ value: "auto", label: t("auto"), hint: t("autoHint") },
								{ value: "ask", label: t("ask"), hint: t("askHint") },
							]}
						/>
					)}
				</WhenLoaded>
			</Part>
			<RulesPart />
			<FirstStepsPart />
			<section className="py-3">
				<Toggle label={t("reasoning")} checked={settings.showReasoning} onChange={(showReasoning) => changeSettings({ showReasoning })} />
				<Button
					className="mt-3"
					onClick={() => {
						show({ settingsOpen: false });
						run("shortcuts", { by: "pointer" });
					}}
				>
					{t("shortcuts")}
				</Button>
			</section>
		</>
	);
}

/** The way back to the first steps, in the place where the next conversation begins. */
function FirstStepsPart() {
	const t = useWords(settingsWords);
	const { openConversation, show } = useActions();
	const setUi = useUiSet();
	const change = useChange();
	const showAgain = async () => {
		if (!(await change(() => settingsApi.change({ firstRun: "due" })))) return;
		setUi({ firstRun: "due", firstStep: undefined });
		show({ settingsOpen: false, sidebarOpen: false });
		openConversation(undefined);
	};
	return (
		<Part title={t("firstSteps")} hint={t("firstStepsHint")}>
			<Button onClick={() => void showAgain()}>{t("showFirstSteps")}</Button>
		</Part>
	);
}
