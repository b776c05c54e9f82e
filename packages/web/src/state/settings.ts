import * as z from "zod/mini";
import { writeStorage } from "../storage/write-storage.ts";
import { SETTINGS_KEY } from "./kept-settings.ts";

export const settingsSchema = z.object({
	theme: z.catch(z.enum(["system", "light", "dark"]), "system"),
	language: z.catch(z.enum(["system", "en", "zh-Hant"]), "system"),
	/** Reasoning is open while it streams. */
	showReasoning: z.catch(z.boolean(), false),
	/** Desktop sidebar. */
	sidebar: z.catch(z.boolean(), true),
});
export type Settings = z.infer<typeof settingsSchema>;

export function loadSettings(storage: Pick<Storage, "getItem">): Settings {
	try {
		return settingsSchema.parse(JSON.parse(storage.getItem(SETTINGS_KEY) ?? "{}"));
	} catch {
		return settingsSchema.parse({});
	}
}

export function saveSettings(storage: Pick<Storage, "setItem">, settings: Settings): void {
	writeStorage(storage, SETTINGS_KEY, JSON.stringify(settings));
}
