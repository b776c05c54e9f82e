/** Where the settings of this browser are kept. Apart from their schema, so that the boot script can read them without it. */
export const SETTINGS_KEY = "rightseat:settings";

export function themeOf(choice: unknown, systemDark: boolean): "light" | "dark" {
	if (choice === "light" || choice === "dark") return choice;
	return systemDark ? "dark" : "light";
}
