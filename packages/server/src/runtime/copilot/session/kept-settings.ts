import type { SessionEvent } from "@github/copilot-sdk";
import type { OpenSession, SessionSettings } from "../../../core/ports/agent-runtime.ts";
import { applyTo, type SettableSession, toMode } from "./session-modes.ts";

/** Keeps a session at what its conversation is set to, and tells when the agent leaves its mode. */
export function keepSettings(options: Pick<OpenSession, "settings" | "onModeLeft">) {
	/** What it shall be set to, before that is stored. */
	let wanted: SessionSettings | undefined;
	let set: SessionSettings | undefined;
	return {
		prepare(sdk: SettableSession): Promise<void> {
			set = wanted ?? options.settings();
			return applyTo(sdk, set);
		},
		/** The runtime tells of every change, also of those that are made here. */
		heard(event: SessionEvent): void {
			if (event.type !== "session.mode_changed" || event.agentId !== undefined || set === undefined) return;
			const mode = toMode(event.data.newMode);
			if (mode === set.mode) return;
			set = { ...set, mode };
			options.onModeLeft(mode);
		},
		async apply(settings: SessionSettings, prepare: () => Promise<void>): Promise<void> {
			wanted = settings;
			try {
				await prepare();
			} finally {
				wanted = undefined;
			}
		},
	};
}
