import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach } from "vitest";
import { systemClock } from "../../../packages/server/src/core/kernel/clock.ts";
import { silentLogger } from "../../../packages/server/src/core/kernel/logger.ts";
import type { OpenSession } from "../../../packages/server/src/core/ports/agent-runtime.ts";
import { type AcpRuntimeDeps, createAcpRuntime } from "../../../packages/server/src/runtime/acp/create-acp-runtime.ts";
import { createToolServer } from "../../../packages/server/src/runtime/acp/mcp/create-tool-server.ts";
import { createMarkers } from "../../../packages/server/src/runtime/markers.ts";
import { acpAgentCommand } from "../../support/acp-agent/acp-agent.ts";

/** The ACP adapter with the scripted agent, which keeps its sessions in a folder of its own. */
export function startAcp(switches: string[] = [], more: Partial<AcpRuntimeDeps> & { id?: string } = {}) {
	const home = mkdtempSync(join(tmpdir(), "rightseat-acp-"));
	const sessions = join(home, "sessions");
	const { id = "scripted", ...deps } = more;
	const toolServer = createToolServer({ clock: deps.clock ?? systemClock, logger: silentLogger });
	const runtime = createAcpRuntime({
		definition: { id, name: "Scripted", command: acpAgentCommand(`home=${sessions}`, ...switches) },
		toolServer,
		markers: createMarkers(home),
		clock: systemClock,
		logger: silentLogger,
		redact: (text) => text,
		env: process.env,
		...deps,
	});
	return {
		home,
		sessions,
		runtime,
		open: (session: Partial<OpenSession> = {}) => runtime.openSession({ ...sessionDefaults(home), ...session }),
		async close() {
			await runtime.close();
			await toolServer.close();
			rmSync(home, { recursive: true, force: true });
		},
	};
}

/** `startAcp` for a whole test file: what a test started is closed after it. */
export function useAcp(): typeof startAcp {
	const hosts: ReturnType<typeof startAcp>[] = [];
	afterEach(async () => {
		await Promise.all(hosts.splice(0).map((host) => host.close()));
	});
	return (...given) => {
		const host = startAcp(...given);
		hosts.push(host);
		return host;
	};
}

const sessionDefaults = (home: string): OpenSession => ({
	sessionId: "conversation-1",
	previous: null,
	model: "",
	cwd: home,
	tools: [],
	settings: () => ({ mode: "agent", effort: "" }),
	onModeLeft: () => undefined,
	mayGoOn: () => true,
	askPlan: async () => ({ approved: true }),
	onLateUsage: () => undefined,
	onTodos: () => undefined,
	form: async () => ({ action: "cancel" }),
	ask: async () => ({ answer: "nobody answered", wasFreeform: true }),
	permit: async () => ({ kind: "approve-once" }),
});
