import type { OtherHosts } from "../../packages/server/src/core/fleet/everywhere.ts";
import { AppError } from "../../packages/server/src/core/kernel/errors.ts";
import { conversationId, messageId } from "../../packages/server/src/core/kernel/ids.ts";
import type { OutboxEntry } from "../../packages/server/src/core/ports/fleet-store.ts";

const HOST = "bcdefgh234567abc";
const refused = () => Promise.reject(new AppError("host-offline", "laptop is offline.", { params: { name: "laptop" } }));

/** A fleet of two whose other host is away, with one prompt that waits for it: for the shapes of what is answered. */
export function fakeEverywhere(): OtherHosts {
	const entry: OutboxEntry = {
		...{ clientMessageId: "m1", host: HOST, conversationId: "c1", prompt: "later", attachments: [], actor: { origin: "web" }, at: 0 },
		...{ state: { kind: "refused", code: "empty-prompt" }, wasSent: true },
	};
	const host = { lastSeen: undefined, version: "1.0.0" };
	const laptop = { ...host, id: HOST, name: "laptop", self: false, state: "offline" } as const;
	return {
		hosts: () => [{ ...host, id: "abcdefgh234567ab", name: "desk", self: true, state: "online" }, laptop],
		onHosts: () => () => undefined,
		list: () => ({ conversations: [] }),
		askAll: async () => ({ found: [], missing: [laptop] }),
		ownList: () => ({ conversations: [] }),
		status: () => ({
			kind: "connecting",
			url: "nats://127.0.0.1",
			because: new AppError("fleet-not-connected", "NATS cannot be reached."),
		}),
		remove: () => Promise.resolve(),
		outbox: {
			...{ list: () => [entry], edit: () => undefined, ask: () => undefined, confirm: () => undefined, drop: () => true, send: refused },
			...{ pump: () => undefined, onChange: () => () => undefined, close: () => undefined },
		},
		recent: () => [],
		wholeText: () => undefined,
		under: () => {
			throw new AppError("internal", "There is no Telegram here.");
		},
		jobs: { jobs: () => [], jobOutput: refused, killJob: refused },
		calls: {
			...{ ask: refused, http: refused, json: refused, bytes: refused, bring: refused, parse: () => undefined },
			refusal: () => new AppError("host-offline", "laptop is offline."),
		},
		search: async () => ({
			results: [
				{
					conversationId: conversationId("c1"),
					messageId: messageId("m1"),
					title: "t",
					snippet: "s",
					createdAt: new Date(0).toISOString(),
				},
			],
			missing: [laptop],
		}),
		close: () => undefined,
	};
}
