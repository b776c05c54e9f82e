import type { ITheme } from "@xterm/xterm";

const LIGHT: ITheme = {
	black: "#24292f",
	red: "#a8231b",
	green: "#19693c",
	yellow: "#7a4d00",
	blue: "#1f4f8f",
	magenta: "#6b35b0",
	cyan: "#0b5d6b",
	white: "#5c636d",
	brightBlack: "#5c636d",
	brightRed: "#c0392b",
	brightGreen: "#1f7a47",
	brightYellow: "#8a5a00",
	brightBlue: "#2b64b0",
	brightMagenta: "#7d47c4",
	brightCyan: "#0f7182",
	brightWhite: "#1e2227",
};
const DARK: ITheme = {
	black: "#101214",
	red: "#ff9c92",
	green: "#7fd6a0",
	yellow: "#f0c36b",
	blue: "#9cc4ff",
	magenta: "#cfadff",
	cyan: "#84d6e0",
	white: "#e6e8eb",
	brightBlack: "#949ba5",
	brightRed: "#ffb5ad",
	brightGreen: "#9fe3b8",
	brightYellow: "#f7d692",
	brightBlue: "#b8d5ff",
	brightMagenta: "#dfc6ff",
	brightCyan: "#a5e4ec",
	brightWhite: "#ffffff",
};

/** Colours of the terminal, readable on the page's own background in both themes. */
export function terminalTheme(root: HTMLElement): ITheme {
	const styles = getComputedStyle(root);
	const value = (name: string) => styles.getPropertyValue(name).trim();
	const base = root.dataset.theme === "dark" ? DARK : LIGHT;
	return {
		...base,
		background: value("--surface"),
		foreground: value("--ink"),
		cursor: value("--accent"),
		cursorAccent: value("--surface"),
		selectionBackground: value("--accent-soft"),
	};
}
