import type { ReplyFrame } from "@rightseat/protocol/frames/server";
import type { Params } from "@rightseat/protocol/model/params";
import { PROTOCOL_VERSION } from "@rightseat/protocol/version";
import type { MemoryLedger } from "../../../core/kernel/memory-ledger.ts";
import type { AgentRuntime } from "../../../core/ports/agent-runtime.ts";
import type { AppSettingsStore } from "../../../services/settings/settings.ts";
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
	runtime: Pick<AgentRuntime, "health">;
	storageHealth(): StorageHealth;
	telegramStatus(): unknown;
	settings: AppSettingsStore;
	memory: Pick<MemoryLedger, "usage">;
}): AppStatus {
	const parts = () => {
		const telegram = deps.telegramStatus();
		return { runtime: deps.runtime.health(), storage: deps.storageHealth(), ...(telegram === undefined ? {} : { telegram }) };
	};
	return {
		healthy: () => deps.storageHealth().state === "ok" && !["resting", "stopped"].includes(deps.runtime.health().state),
		full: () => ({
			...parts(),
			protocol: PROTOCOL_VERSION,
			version: deps.config.version,
			host: machineName(),
			provider: deps.runtime.health().provider,
			demo: deps.runtime.health().provider === "demo",
			permissions: deps.settings.get().permissions,
			workdir: deps.config.workdir,
			roots: deps.config.roots,
			askTimeoutMs: deps.config.askTimeoutMs,
			memory: deps.memory.usage(),
		}),
		frame: () => ({ type: "app:status", data: parts() }),
	};
}
