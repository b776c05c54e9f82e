import type { ReplyFrame } from "@rightseat/protocol/frames/server";
import type { Params } from "@rightseat/protocol/model/params";
import { PROTOCOL_VERSION } from "@rightseat/protocol/version";
import type { MemoryLedger } from "../../../core/kernel/memory-ledger.ts";
import type { RuntimeHealth } from "../../../core/ports/agent-runtime.ts";
import { type Agents, COPILOT_AGENT } from "../../../core/ports/agents.ts";
import type { AppSettingsStore } from "../../../services/settings/settings.ts";
import { toAgent } from "../agent-view.ts";
import { machineName } from "../machine-name.ts";
import type { WebConfig } from "../web-config.ts";

/** Health of the parts of the server. */
export interface AppStatus {
	/** Nothing secret: for `/healthz`. */
	healthy(): boolean;
	full(): object;
	/** For every connection, when something changed. */
	frame(): ReplyFrame;
}

/** Health of the store, as the store tells it; `ok` is what counts here. */
export interface StorageHealth {
	state: string;
	message?: string;
	code?: string;
	params?: Params;
}

export function createAppStatus(deps: {
	config: WebConfig;
	/** Of a new conversation. */
	workdir(): string;
	agents: Pick<Agents, "list">;
	storageHealth(): StorageHealth;
	telegramStatus(): unknown;
	settings: AppSettingsStore;
	memory: Pick<MemoryLedger, "usage">;
}): AppStatus {
	const copilot = () => copilotHealth(deps.agents);
	const parts = () => {
		const telegram = deps.telegramStatus();
		return {
			runtime: copilot(),
			storage: deps.storageHealth(),
			...(telegram === undefined ? {} : { telegram }),
		};
	};
	return {
		healthy: () => deps.storageHealth().state === "ok" && !["resting", "stopped"].includes(copilot().state),
		full: () => ({
			...parts(),
			protocol: PROTOCOL_VERSION,
			version: deps.config.version,
			host: machineName(),
			provider: copilot().provider,
			demo: copilot().provider === "demo",
			permissions: deps.settings.get().permissions,
			workdir: deps.workdir(),
			roots: deps.config.roots,
			askTimeoutMs: deps.config.askTimeoutMs,
			memory: deps.memory.usage(),
		}),
		frame: () => ({ type: "app:status", data: { ...parts(), agents: deps.agents.list().map(toAgent) } }),
	};
}

/** The health that older readers know as the server's: Copilot is always there. */
function copilotHealth(agents: Pick<Agents, "list">): RuntimeHealth {
	return agents.list().find(({ id }) => id === COPILOT_AGENT)?.health ?? { state: "off", provider: "copilot" };
}
