import type { ServerSettings } from "@rightseat/protocol/http/app";
import { settingsPatch } from "@rightseat/protocol/http/requests";
import type { PermissionMode } from "@rightseat/protocol/model/vocabulary";
import { AppError } from "../../core/kernel/errors.ts";
import type { SettingsStore } from "../../core/ports/store.ts";

/** What people change in the page and what is kept over restarts. */
export type AppSettings = ServerSettings;

export interface AppSettingsStore {
	get(): AppSettings;
	update(patch: Partial<AppSettings>): AppSettings;
}

const KEY = "web";

/** Settings over the configured defaults. Create it before core, which asks it for the default permission mode. */
export function createSettings(
	store: SettingsStore,
	defaults: { permissions: PermissionMode; firstRun?: AppSettings["firstRun"] },
): AppSettingsStore {
	const base: AppSettings = {
		permissions: defaults.permissions,
		defaultModel: "",
		defaultAgent: "",
		workdir: "",
		firstRun: defaults.firstRun ?? "done",
		notifyTurnEnd: true,
		notifyQuestion: true,
	};
	/** Only what people changed: a default that was configured otherwise since must not be kept by a change of something else. */
	function changed(): Partial<AppSettings> {
		const text = store.get(KEY);
		if (text === undefined) return {};
		const stored = settingsPatch.safeParse(JSON.parse(text));
		return stored.success ? stored.data : {};
	}
	const get = (): AppSettings => ({ ...base, ...changed() });
	return {
		get,
		update(patch) {
			store.set(KEY, JSON.stringify({ ...changed(), ...patch }));
			return get();
		},
	};
}

const FIRST_RUN_KEY = "first-run";

/** Decided once, at the first start of a home that knows the question: whoever used it before needs no first steps. */
export function decideFirstRun(store: SettingsStore, { isUsed }: { isUsed: boolean }): AppSettings["firstRun"] {
	const known = store.get(FIRST_RUN_KEY);
	if (known !== undefined) return known === "due" ? "due" : "done";
	const decided = isUsed ? "done" : "due";
	try {
		store.set(FIRST_RUN_KEY, decided);
	} catch (error) {
		// A disk that takes no writes is no reason not to start; the next start decides again.
		if (!(error instanceof AppError)) throw error;
	}
	return decided;
}
