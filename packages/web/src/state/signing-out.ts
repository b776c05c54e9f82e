import { wasRevoked } from "../api/api.ts";
import type { Probe } from "../api/probe.ts";
import type { ApiError } from "../api/request.ts";
import type { Shared } from "./controller.ts";

/** What is known about the end of a login: the person left, somebody threw this device out, or it is over for a reason of its own. */
export type Ending = "left" | "revoked" | "over" | "unknown";

/** Of our keys in the browser's storage only theme and language are nobody's secret. */
const KEPT_KEY = "rightseat:settings";

/**
 * The end of a login takes along what may be read only with one. Texts of conversations always go: the server has them. What a person wrote
 * and did not send yet exists nowhere else, so it stays when a login merely ran out, and goes when the device was thrown out or left.
 */
export function createSigningOut(shared: Shared, stop: () => void) {
	const { options, get, set } = shared;

	async function forgetEverything() {
		await options.device.clear();
		const { storage } = options;
		const keys = Array.from({ length: storage.length }, (_, index) => storage.key(index) ?? "");
		for (const key of keys) if (key.startsWith("rightseat:") && key !== KEPT_KEY) storage.removeItem(key);
		set({ conversations: {}, conversationsLoaded: false, views: {}, openId: undefined, outbox: [], visits: {}, away: {} });
	}
	async function forgetRevoked({ inMemory }: { inMemory: boolean }) {
		await forgetEverything();
		await options.forgetBrowser?.();
		// A page that was thrown out still holds texts and unsent prompts in memory; a fresh one holds nothing.
		if (inMemory) options.reload?.();
	}

	return {
		/** Ends the session on this page, at once; resolves when the device has forgotten what it must. */
		async end(ending: Ending): Promise<void> {
			if (get().session === "signed-out") return;
			const inMemory = get().session === "signed-in";
			stop();
			set({ session: "signed-out" });
			if (ending === "left") return forgetEverything();
			await options.device.clear(["views", "lists"]);
			const revoked = ending === "revoked" || (ending === "unknown" && (await options.api.probe()) === "revoked");
			if (revoked) await forgetRevoked({ inMemory });
		},
	};
}

export const endingOf = (error: ApiError): Ending => (wasRevoked(error) ? "revoked" : "over");
export const endingFrom = (probe: Probe): Ending | undefined =>
	probe === "revoked" ? "revoked" : probe === "signed-out" ? "over" : undefined;
