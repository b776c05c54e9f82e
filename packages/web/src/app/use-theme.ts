import { useEffect } from "react";
import { themeOf } from "../state/kept-settings.ts";
import { useApp } from "../state/use-page.tsx";
import { useMedia } from "./use-media.ts";

/** Keeps the theme on the root element, and the colour of a phone's status bar with it. */
export function useTheme(): void {
	const choice = useApp((state) => state.settings.theme);
	const systemDark = useMedia("(prefers-color-scheme: dark)");
	const theme = themeOf(choice, systemDark);
	useEffect(() => {
		document.documentElement.dataset.theme = theme;
		document.querySelector('meta[name="theme-color"]')?.setAttribute("content", theme === "dark" ? "#15171a" : "#faf9f7");
	}, [theme]);
}
