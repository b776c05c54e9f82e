import type { IncomingMessage } from "node:http";
import type { Duplex } from "node:stream";
import { CLOSE_CODES } from "@rightseat/protocol/close-codes";
import type { ReplyFrame } from "@rightseat/protocol/frames/server";
import { MAX_FRAME_BYTES } from "@rightseat/protocol/limits";
import { WebSocketServer } from "ws";
import type { Cancel, Clock } from "../../../core/kernel/clock.ts";
import type { Logger } from "../../../core/kernel/logger.ts";
import type { MemoryLedger } from "../../../core/kernel/memory-ledger.ts";
import type { Redactor } from "../../../core/kernel/redact.ts";
import type { Identity } from "../auth/identity.ts";
import type { WebSessions } from "../auth/web-sessions.ts";
import { type Source, sourcesOf } from "../fleet/who-asks.ts";
import { type Connection, type ConnectionParts, createConnection } from "./connection.ts";
import { cutSlowest } from "./cut-slowest.ts";
import { createEncodeOnce } from "./encode-once.ts";
import type { OutFrame } from "./frames.ts";
import type { Outbound } from "./outbound.ts";
import type { Router } from "./router.ts";

/** Open WebSockets, unless configured otherwise. */
export const MAX_CONNECTIONS = 2_048;
const MAX_FRAGMENTS = 64;
const CLOSE_TIMEOUT_MS = 3_000;
/** How soon a socket whose session expired is noticed. */
const SESSION_CHECK_MS = 60_000;

/** All open WebSockets. */
export interface Connections {
	/** The request has passed the gate and belongs to this person. False when there are too many already. */
	accept(request: IncomingMessage, raw: Duplex, head: Buffer, identity: Identity): boolean;
	/** One frame to every client, serialised once. */
	broadcast(frame: OutFrame): void;
	count(): number;
	/** Ends those whose login has ended. */
	endUnauthorized(ended: (identity: Identity) => boolean): void;
	endAll(code: number, reason: string): void;
	close(): void;
}

export function createConnections(deps: {
	maxConnections: number;
	clock: Clock;
	logger: Logger;
	sessions: WebSessions;
	redactor: Redactor;
	/** The first frame on every socket. */
	hello: ReplyFrame;
	/** And what follows it at once. */
	greeting(): readonly OutFrame[];
	createRouter(outbound: Outbound, source: Source): Router;
	sourceOf(request: IncomingMessage): string;
	afterCommit: ConnectionParts["afterCommit"];
	memory: MemoryLedger;
}): Connections {
	const open = new Set<Connection>();
	const account = deps.memory.account("sockets", { order: 1, free });
	const encode = createEncodeOnce();
	const options = {
		noServer: true,
		clientTracking: false,
		maxPayload: MAX_FRAME_BYTES,
		perMessageDeflate: false,
		maxFragments: MAX_FRAGMENTS,
		maxBufferedChunks: 4_096,
		closeTimeout: CLOSE_TIMEOUT_MS,
	};
	const server = new WebSocketServer(options);
	let cancelCheck: Cancel = deps.clock.after(SESSION_CHECK_MS, checkSessions);

	function checkSessions() {
		endUnauthorized((identity) => identity.kind === "session" && !deps.sessions.alive(identity.session.id));
		cancelCheck = deps.clock.after(SESSION_CHECK_MS, checkSessions);
	}
	function endUnauthorized(ended: (identity: Identity) => boolean) {
		for (const connection of [...open]) {
			if (ended(connection.identity)) connection.end(CLOSE_CODES.unauthorized, "This login has ended.");
		}
	}

	function free(bytes: number): number {
		const freed = cutSlowest(open, bytes);
		if (freed > 0) deps.logger.warn({ freed }, "Slow readers were cut off: the memory for buffers is used up (RIGHTSEAT_MEMORY_MB)");
		return freed;
	}

	return {
		accept(request, raw, head, identity) {
			if (open.size >= deps.maxConnections) return false;
			const source = sourcesOf(deps.sourceOf(request), identity);
			server.handleUpgrade(request, raw, head, (socket) => {
				const connection = createConnection({
					...{ socket, raw, identity, encode, account },
					...{ clock: deps.clock, logger: deps.logger, redactor: deps.redactor, hello: deps.hello, afterCommit: deps.afterCommit },
					createRouter: (outbound) => deps.createRouter(outbound, source),
					onGone: (gone) => open.delete(gone),
				});
				open.add(connection);
				for (const frame of deps.greeting()) connection.sendText(JSON.stringify(frame));
			});
			return true;
		},
		broadcast(frame) {
			const text = JSON.stringify(frame);
			for (const connection of open) connection.sendText(text);
		},
		count: () => open.size,
		endUnauthorized,
		endAll(code, reason) {
			for (const connection of [...open]) connection.end(code, reason);
		},
		close: () => cancelCheck(),
	};
}
