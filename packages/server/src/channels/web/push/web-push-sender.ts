import { createHash } from "node:crypto";
import { Agent } from "node:https";
import { isPublicAddress, publicLookup, type Resolve, resolveName } from "./public-address.ts";
import type { PushKeys } from "./push-keys.ts";
import { loadPushKeys } from "./push-keys.ts";
import type { PushSubscription } from "./push-subscriptions.ts";

/** Hands a text to a browser's push service. */
export interface PushSender {
	publicKey(): Promise<string>;
	/** False when the service's name leads to an address inside. A name that cannot be looked up now is looked up again before every push. */
	mayReach(endpoint: string): Promise<boolean>;
	/**
	 * `gone`: the browser has unsubscribed. Rejects when the service cannot be reached. What is about the same thing replaces what the service has not
	 * delivered yet: a phone that was off hears of nothing that is over.
	 */
	send(subscription: PushSubscription, payload: string, about: string): Promise<"sent" | "gone">;
}

const TTL_SECONDS = 3_600;
const TIMEOUT_MS = 10_000;
/** Push services want to know whom to ask when a sender misbehaves. */
const SUBJECT = "https://rightseat.example";

/** The real one. Loaded at first use: most servers never send a push. */
export function createWebPushSender(home: string, resolve: Resolve = resolveName): PushSender {
	const agent = new Agent({ lookup: publicLookup(resolve) });
	let loaded: Promise<{ library: typeof import("web-push"); keys: PushKeys }> | undefined;
	const load = () => {
		loaded ??= import("web-push").then((module) => {
			const library = module.default;
			return { library, keys: loadPushKeys(home, () => library.generateVAPIDKeys()) };
		});
		return loaded;
	};
	return {
		publicKey: async () => (await load()).keys.publicKey,
		mayReach: (endpoint) =>
			resolve(new URL(endpoint).hostname).then(
				(addresses) => addresses.every(isPublicAddress),
				() => true,
			),
		async send(subscription, payload, about) {
			const { library, keys } = await load();
			try {
				await library.sendNotification(subscription, payload, {
					vapidDetails: { subject: SUBJECT, ...keys },
					TTL: TTL_SECONDS,
					timeout: TIMEOUT_MS,
					urgency: "high",
					topic: topicOf(about),
					agent,
				});
				return "sent";
			} catch (error) {
				if (error instanceof library.WebPushError && (error.statusCode === 404 || error.statusCode === 410)) return "gone";
				throw error;
			}
		},
	};
}

/** RFC 8030: at most 32 characters of the URL's base64. */
function topicOf(about: string): string {
	return createHash("sha256").update(about).digest("base64url").slice(0, 32);
}
