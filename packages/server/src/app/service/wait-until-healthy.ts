import { readFileSync } from "node:fs";
import { join } from "node:path";
import { CliError, EXIT } from "@rightseat/cli/cli-error";
import { createApi } from "@rightseat/cli/connection/api";
import * as z from "zod/mini";
import { lastSaid } from "./last-output.ts";
import type { ServiceState } from "./manager.ts";
import type { ServiceDeps } from "./service-deps.ts";

/** A new server is ready within this, or something is wrong. */
const HEALTHY_LIMIT_MS = 60_000;
const LOOK_EVERY_MS = 400;
/** One that takes a connection and says nothing for so long is not healthy; whoever waits looks again. */
const ANSWER_LIMIT_MS = 3_000;

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
		const { status } = await createApi({ url: written.url, token: "", isOwn: true }, { quietMs: ANSWER_LIMIT_MS, tries: 1 }).get(
			"/healthz",
			healthSchema,
		);
		return { url: written.url, version: written.version, status, startedAt: written.startedAt };
	} catch {
		// Not ready, or no longer there; whoever waits looks again.
		return undefined;
	}
}

/** Waits until the service is healthy, or has ended for good, or the time is over. */
export async function waitUntilHealthy({
	place,
	manager,
	time,
}: Pick<ServiceDeps, "place" | "manager" | "time">): Promise<{ server: HealthyServer } | { server: undefined; state: ServiceState }> {
	const end = time.now() + HEALTHY_LIMIT_MS;
	for (;;) {
		const state = await manager.state();
		const server = await findHealthy(place.home, state.pid);
		if (server !== undefined) return { server };
		if (state.state === "failed" || state.state === "absent" || time.now() > end) return { server: undefined, state };
		await time.wait(LOOK_EVERY_MS);
	}
}

/** The server that the service has become. Throws CliError when it has not, and shows what it said last. */
export async function getHealthy(deps: ServiceDeps): Promise<HealthyServer> {
	const { cli, words, place } = deps;
	const result = await waitUntilHealthy(deps);
	if (result.server !== undefined) return result.server;
	const said = lastSaid(place.outputFile);
	if (said.length > 0) cli.printError([words.lastSaid, ...said].join("\n"));
	throw new CliError(words.notReady(result.state.detail ?? result.state.state), EXIT.failed);
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
