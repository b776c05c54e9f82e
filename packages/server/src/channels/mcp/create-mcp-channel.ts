import type { Conversations } from "../../core/conversations/conversations.ts";
import type { Clock } from "../../core/kernel/clock.ts";
import { conversationId, type IdSource } from "../../core/kernel/ids.ts";
import type { Logger } from "../../core/kernel/logger.ts";
import type { AuditLog } from "../../core/ports/audit.ts";
import type { SqlDatabase } from "../../core/ports/sql.ts";
import type { Endpoint, McpRequest } from "./endpoint.ts";
import { createLineage } from "./lineage.ts";
import { createMcpTokens, type McpTokens } from "./tokens.ts";

/** Conversations for other programs, over MCP. Who serves HTTP brings the requests here. */
export interface McpChannel {
	readonly tokens: McpTokens;
	/** Answers a request whose token was found. */
	serve(request: McpRequest): Promise<void>;
	/** Stops what waits. */
	close(): void;
}

export function createMcpChannel(deps: {
	conversations: Conversations;
	sql: SqlDatabase;
	audit: Pick<AuditLog, "record">;
	clock: Clock;
	ids: IdSource;
	logger: Logger;
	/** Learns every secret before anybody can print it. */
	hide(secret: string): void;
}): McpChannel {
	const lineage = createLineage(deps);
	let endpoint: Promise<Endpoint> | undefined;
	let isClosed = false;
	const forEndpoint = (act: (made: Endpoint) => void) => void endpoint?.then(act);
	const tokens = createMcpTokens({ ...deps, onRevoked: (id) => forEndpoint((made) => made.revoked(id)) });
	const stopWatching = deps.conversations.onChange((change) => {
		if (change.kind === "deleted") lineage.forget(conversationId(change.id));
	});

	/** Loaded at the first call that is let in: most servers never get one. */
	async function load(): Promise<Endpoint> {
		const { createEndpoint } = await import("./endpoint.ts");
		return createEndpoint({ ...deps, lineage, durable: deps.sql.durable });
	}

	return {
		tokens,
		async serve(request) {
			if (isClosed) return void request.response.destroy();
			endpoint ??= load();
			await (await endpoint).serve(request);
		},
		close() {
			isClosed = true;
			stopWatching();
			forEndpoint((made) => made.close());
		},
	};
}
