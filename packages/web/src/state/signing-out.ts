import { type Api, wasRevoked } from "../api/api.ts";
import type { Probe } from "../api/probe.ts";
import type { ApiError } from "../api/request.ts";
import type { DeviceStore } from "../storage/database.ts";
import type { PageState } from "./page-state.ts";

/** What is known about the end of a login: the person left, somebody threw this device out, or it is over for a reason of its own. */
export type Ending = "left" | "revoked" | "over" | "unknown";

/** Of our keys in the browser's storage only theme and language are nobody's secret. */
const KEPT_KEY = "rightseat:settings";

/**
 * The end of a login takes along what may be read only with one. Texts of conversations always go: the server has them. What a person wrote
 * and did not send yet exists nowhere else, so it stays when a login merely ran out, and goes when the device was thrown out or left.
 */
export function createSigningOut(deps: {
	state: PageState;
	device: Pick<DeviceStore, "clear">;
	storage: Pick<Storage, "key" | "length" | "removeItem">;
	api: Pick<Api, "probe">;
	/** Ends the connection. */
	stop: () => void;
	/** Removes what the browser keeps for this page beside the device's store. */
	forgetBrowser?: () => Promise<void>;
	reload?: () => void;
}): { signOut(ending: Ending): Promise<void> } {
	const { device, storage } = deps;
	const { get, set } = deps.state;

	async function forgetEverything(): Promise<void> {
		await device.clear();
		const keys = Array.from({ length: storage.length }, (_, index) => storage.key(index) ?? "");
		for (const key of keys) if (key.startsWith("rightseat:") && key !== KEPT_KEY) storage.removeItem(key);
		set({ conversations: {}, conversationsLoaded: false, views: {}, openId: undefined, outbox: [], visits: {}, away: {} });
	}

	/** True when this login was revoked. */
	async function forget(ending: Ending): Promise<boolean> {
		if (ending === "left") {
			await forgetEverything();
			return false;
		}
		await device.clear(["views", "lists"]);
		const revoked = ending === "revoked" || (ending === "unknown" && (await deps.api.probe()) === "revoked");
		if (!revoked) return false;
		await forgetEverything();
		await deps.forgetBrowser?.();
		return true;
	}

	async function end(ending: Ending): Promise<void> {
		if (get().session === "signed-out") return;
		const inMemory = get().session === "signed-in";
		deps.stop();
		set({ session: "signed-out", forgetting: inMemory && (ending === "revoked" || ending === "unknown") });
		let reloads = false;
		try {
			const revoked = await forget(ending);
			// A page that was thrown out still holds texts and unsent prompts in memory; a fresh one holds nothing.
			reloads = revoked && inMemory;
			if (reloads) deps.reload?.();
		} finally {
			if (!reloads) set({ forgetting: false });
		}
	}

	return {
		/** Ends the session on this page, at once; resolves when the device has forgotten what it must, or could not. */
		signOut: (ending) => end(ending).catch((error: unknown) => console.warn("This device could not forget what it kept.", error)),
	};
}

export const endingOf = (error: ApiError): Ending => (wasRevoked(error) ? "revoked" : "over");
export const endingFrom = (probe: Probe): Ending | undefined =>
	probe === "revoked" ? "revoked" : probe === "signed-out" ? "over" : undefined;
