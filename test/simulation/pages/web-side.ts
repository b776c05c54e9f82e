import { CLOSE_CODES } from "@rightseat/protocol/close-codes";
import { PROTOCOL_VERSION } from "@rightseat/protocol/version";
import { bashExec } from "../../../packages/server/src/channels/web/ws/bash-exec-handler.ts";
import { createBashHandler } from "../../../packages/server/src/channels/web/ws/bash-handler.ts";
import { type Connection, createConnection } from "../../../packages/server/src/channels/web/ws/connection.ts";
import { conversationFrame } from "../../../packages/server/src/channels/web/ws/conversation-frame.ts";
import { createCopilotHandler } from "../../../packages/server/src/channels/web/ws/copilot-handler.ts";
import { cutSlowest } from "../../../packages/server/src/channels/web/ws/cut-slowest.ts";
import { createEncodeOnce } from "../../../packages/server/src/channels/web/ws/encode-once.ts";
import type { OutFrame } from "../../../packages/server/src/channels/web/ws/frames.ts";
import type { Outbound } from "../../../packages/server/src/channels/web/ws/outbound.ts";
import { createPresenceHandler } from "../../../packages/server/src/channels/web/ws/presence-handler.ts";
import { createRouter, type WsHandler } from "../../../packages/server/src/channels/web/ws/router.ts";
import { createSubscriptions } from "../../../packages/server/src/channels/web/ws/subscriptions.ts";
import { heardAudit } from "../../support/audit.ts";
import type { Life } from "../frame/life.ts";
import type { ServerEnd } from "./wire.ts";

/** The WebSocket side of the web channel of one process, wired as `create-web-channel.ts` does, without HTTP, logins and terminals. */
export interface WebSide {
	accept(end: ServerEnd): void;
	/** Every page is told to come back. */
	close(): void;
}

export function createWebSide(life: Life): WebSide {
	const { conversations, clock, logger, redactor, presence, shell } = life;
	const open = new Set<Connection>();
	const account = life.memory.account("sockets", { order: 1, free: (bytes) => cutSlowest(open, bytes) });
	const encode = createEncodeOnce();
	const source = { source: "page", farSource: "page" };
	const audit = { ...heardAudit(() => undefined), list: () => ({ entries: [] }) };
	const createLoose = bashExec({ shell, clock, ids: life.ids, defaultCwd: () => "/somewhere", redactor });
	const broadcast = (frame: OutFrame) => {
		const text = JSON.stringify(frame);
		for (const connection of open) connection.sendText(text);
	};
	const stops = [
		conversations.onChange((change) => broadcast(conversationFrame(change))),
		conversations.inbox.onChange(({ items }) => broadcast({ type: "inbox:changed", data: { count: items.length } })),
		presence.onChange((id, isShown) => (isShown ? conversations.inbox.looked(id) : conversations.inbox.refresh())),
	];

	function routerFor(outbound: Outbound) {
		const subscriptions = createSubscriptions({ conversations, outbound });
		const copilot = createCopilotHandler({ conversations, jobs: shell, subscriptions, logger, source });
		const handlers = new Map<string, WsHandler>([
			["copilot", copilot],
			["bash", createBashHandler({ conversations, jobs: shell, subscriptions, copilot, ephemeral: createLoose(), audit, source })],
			["presence", createPresenceHandler(presence)],
		]);
		return createRouter({ handlers, logger, redact: redactor.line });
	}

	return {
		accept({ socket, raw }) {
			const connection = createConnection({
				...{ socket, raw, identity: { kind: "token" }, clock, logger, encode, redactor, account },
				afterCommit: life.opened.sql.afterCommit,
				hello: { type: "hello", data: { protocol: PROTOCOL_VERSION, server: "0.0.0", host: "desk" } },
				createRouter: routerFor,
				onGone: (gone) => open.delete(gone),
			});
			open.add(connection);
		},
		close() {
			for (const stop of stops) stop();
			for (const connection of [...open]) connection.end(CLOSE_CODES.restart, "The server restarts.");
		},
	};
}
