import type { IncomingMessage } from "node:http";
import type { Duplex } from "node:stream";
import type { Logger } from "../../../core/kernel/logger.ts";
import { type AccessGuard, admit } from "../http/access-guard.ts";
import type { LimitedServer } from "../http/http-server.ts";
import type { Connections } from "./connections.ts";
import { refuseUpgrade } from "./refuse-upgrade.ts";

/** Turns upgrades of `/ws` into connections, behind the same guard as every route. */
export function acceptUpgrades(deps: {
	http: Pick<LimitedServer, "server" | "trust">;
	guard: AccessGuard;
	connections: Pick<Connections, "accept">;
	logger: Logger;
}): void {
	const { http, guard, connections, logger } = deps;

	function upgrade(request: IncomingMessage, raw: Duplex, head: Buffer): void {
		const admission = admit(guard, request, { open: false, page: false, upgrade: true });
		if (!admission.ok || admission.identity === null) refuseUpgrade(raw, admission);
		else if (request.url?.split("?", 1)[0] !== "/ws") refuseUpgrade(raw, 404);
		else {
			http.trust(request.socket);
			if (!connections.accept(request, raw, head, admission.identity)) refuseUpgrade(raw, 503);
		}
	}

	http.server.on("upgrade", (request: IncomingMessage, raw: Duplex, head: Buffer) => {
		raw.on("error", () => raw.destroy());
		try {
			upgrade(request, raw, head);
		} catch (error) {
			// The store could not be read: this one is told so, and the server goes on.
			logger.error({ err: error }, "An upgrade failed");
			refuseUpgrade(raw, 503);
		}
	});
}
