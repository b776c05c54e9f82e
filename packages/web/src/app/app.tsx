import { useEffect } from "react";
import { useLocation } from "wouter";
import { commonWords } from "../i18n/common-messages.ts";
import { LanguageProvider, useWords } from "../i18n/use-words.tsx";
import { chooseLanguage } from "../i18n/words.ts";
import { useReloadOnNewVersion } from "../pwa/use-reload-on-new-version.ts";
import { conversationOf } from "../state/conversation-path.ts";
import { UiProvider } from "../state/ui-slice.tsx";
import { useActions, useApp } from "../state/use-page.tsx";
import { ErrorBoundary } from "../ui/error-boundary.tsx";
import { LazyView } from "../ui/lazy-view.tsx";
import { Toaster } from "../ui/toaster.tsx";
import { BrokenPart } from "./broken-part.tsx";
import { Layout } from "./layout.tsx";
import { PageServices } from "./page-services.tsx";
import { useTheme } from "./use-theme.ts";

// Whoever is logged in, which is nearly every load, does without it.
const loadLoginPage = () => import("../login/login-page.tsx").then((module) => ({ View: module.LoginPage }));
const loadPalette = () => import("../palette/command-palette.tsx").then((module) => ({ View: module.CommandPalette }));
const loadSettingsDialog = () => import("../settings/settings-dialog.tsx").then((module) => ({ View: module.SettingsDialog }));

export function App() {
	const session = useApp((state) => state.session);
	const forgetting = useApp((state) => state.forgetting);
	const choice = useApp((state) => state.settings.language);
	const paletteOpen = useApp((state) => state.paletteOpen);
	const settingsOpen = useApp((state) => state.settingsOpen);
	const language = chooseLanguage({ search: location.search, choice, browser: navigator.languages });
	useTheme();
	useReloadOnNewVersion();
	useEffect(() => {
		document.documentElement.lang = language;
	}, [language]);
	return (
		<LanguageProvider language={language}>
			{session === "signed-out" && (
				<ErrorBoundary fallback={<BrokenPart />}>{forgetting ? <LoggedOut /> : <LazyView load={loadLoginPage} />}</ErrorBoundary>
			)}
			{session === "signed-in" && (
				<UiProvider>
					<Route />
					<Layout />
					<PageServices />
					{paletteOpen && <LazyView load={loadPalette} />}
					{settingsOpen && <LazyView load={loadSettingsDialog} />}
				</UiProvider>
			)}
			<Toaster />
		</LanguageProvider>
	);
}

/** Between the end of a login and a page that holds nothing of it any more. */
function LoggedOut() {
	const t = useWords(commonWords);
	return (
		<main className="grid h-dvh place-items-center">
			<p role="status" className="px-6 text-center text-muted">
				{t("loggedOut")}
			</p>
		</main>
	);
}

/** The address bar decides which conversation is open. */
function Route() {
	const [path] = useLocation();
	const { openConversation } = useActions();
	useEffect(() => {
		openConversation(conversationOf(path));
	}, [path, openConversation]);
	return null;
}
