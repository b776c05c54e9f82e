import type { ValueType } from "./config-values.ts";

/** One setting: where it may come from, what it means. Environment, flags, config file, help and documentation all derive from this. */
export interface Setting<T> {
	/** Key in config.json; undefined where the file cannot say it. */
	readonly key?: string;
	readonly env?: string;
	/** Without dashes. Secrets have none: other users can read the arguments of a process. */
	readonly flag?: string;
	readonly type: ValueType<T>;
	/** Used, and shown in the documentation, when nothing says otherwise. */
	readonly fallback?: string;
	/** What the documentation says when there is no fixed fallback. */
	readonly fallbackNote?: string;
	readonly secret?: boolean;
	readonly description: string;
}

/** Keeps the type of its value. */
export const setting = <T>(definition: Setting<T>): Setting<T> => definition;
