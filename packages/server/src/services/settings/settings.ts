import type { ServerSettings } from "@rightseat/protocol/http/app";
import { settingsPatch } from "@rightseat/protocol/http/requests";
import type { PermissionMode } from "@rightseat/protocol/model/vocabulary";
import type { SettingsStore } from "../../core/ports/store.ts";

/** What people change in the page and what is kept over restarts. */
export type AppSettings = ServerSettings;

export interface AppSettingsStore {
	get(): AppSettings;
	update(patch: Partial<AppSettings>): AppSettings;
}

const KEY = "web";

/** Settings over the configured defaults. Create it before core, which asks it for the default permission mode. */
export function createSettings(store: SettingsStore, defaults: { permissions: PermissionMode }): AppSettingsStore {
	const base: AppSettings = {
		permissions: defaults.permissions,
		defaultModel: "",
		defaultAgent: "",
		notifyTurnEnd: true,
		notifyQuestion: true,
	};
	function get(): AppSettings {
		const text = store.get(KEY);
		if (text === undefined) return base;
		const stored = settingsPatch.safeParse(JSON.parse(text));
		return stored.success ? { ...base, ...stored.data } : base;
	}
	return {
		get,
		update(patch) {
			const next = { ...get(), ...patch };
			store.set(KEY, JSON.stringify(next));
			return next;
		},
	};
}
