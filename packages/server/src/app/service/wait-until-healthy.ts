import { readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { createApi } from "@rightseat/cli/connection/api";
import * as z from "zod/mini";
import type { ServiceManager, ServiceState } from "./manager.ts";

/** A new server is ready within this, or something is wrong. */
const HEALTHY_LIMIT_MS = 60_000;
const LOOK_EVERY_MS = 400;

/** A server that answered, and says of itself what it is. */
export interface HealthyServer {
	url: string;
	version: string;
	status: "ok" | "degraded";
	startedAt: string;
}

const serverFileSchema = z.object({ url: z.string(), pid: z.number(), version: z.string(), startedAt: z.string() });
const healthSchema = z.object({ status: z.enum(["ok", "degraded"]) });

/** The server that is this process and answers; undefined while there is none. What another process wrote of itself is not believed. */
export async function findHealthy(home: string, pid: number | undefined): Promise<HealthyServer | undefined> {
	const written = readServerFile(home);
	if (written === undefined || written.pid !== pid) return undefined;
	try {
		const { status } = await createApi({ url: written.url, token: "", isOwn: true }).get("/healthz", healthSchema);
		return { url: written.url, version: written.version, status, startedAt: written.startedAt };
	} catch {
		// Not ready, or no longer there; whoever waits looks again.
		return undefined;
	}
}

/** Waits until the service is healthy, or has ended for good, or the time is over. */
export async function waitUntilHealthy(
	{ home, manager }: { home: string; manager: Pick<ServiceManager, "state"> },
	limitMs = HEALTHY_LIMIT_MS,
): Promise<{ server: HealthyServer } | { server: undefined; state: ServiceState }> {
	const end = performance.now() + limitMs;
	for (;;) {
		const state = await manager.state();
		const server = await findHealthy(home, state.pid);
		if (server !== undefined) return { server };
		if (state.state === "failed" || state.state === "absent" || performance.now() > end) return { server: undefined, state };
		await sleep(LOOK_EVERY_MS);
	}
}

function readServerFile(home: string) {
	try {
		const value: unknown = JSON.parse(readFileSync(join(home, "server.json"), "utf8"));
		const parsed = serverFileSchema.safeParse(value);
		return parsed.success ? parsed.data : undefined;
	} catch {
		// None there, or half of one.
		return undefined;
	}
}
