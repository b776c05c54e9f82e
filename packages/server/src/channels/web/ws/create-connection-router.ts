import type { EveryConversations } from "../../../core/conversations/conversations.ts";
import type { RemoteCalls } from "../../../core/fleet/remote-calls.ts";
import type { Clock } from "../../../core/kernel/clock.ts";
import type { IdSource } from "../../../core/kernel/ids.ts";
import type { Logger } from "../../../core/kernel/logger.ts";
import type { Redactor } from "../../../core/kernel/redact.ts";
import type { AuditLog } from "../../../core/ports/audit.ts";
import type { Folders } from "../../../core/ports/folders.ts";
import type { Jobs, Shell } from "../../../core/ports/shell.ts";
import type { Presence } from "../../../services/presence/presence.ts";
import type { WorkRoots } from "../../../services/work-roots/work-roots.ts";
import type { Source } from "../fleet/who-asks.ts";
import { createRemoteTerminals } from "../terminal/remote-terminals.ts";
import { terminalFolders } from "../terminal/terminal-folders.ts";
import { createTerminalHandler } from "../terminal/terminal-handler.ts";
import type { Terminals } from "../terminal/terminals.ts";
import { bashExec } from "./bash-exec-handler.ts";
import { createBashHandler } from "./bash-handler.ts";
import { createCopilotHandler } from "./copilot-handler.ts";
import type { Outbound } from "./outbound.ts";
import { createPresenceHandler } from "./presence-handler.ts";
import { createRouter, type Router, type WsHandler } from "./router.ts";
import { createSubscriptions } from "./subscriptions.ts";

export interface ConnectionRouterDeps {
	conversations: EveryConversations;
	/** Of this host and of others. */
	jobs: Jobs;
	/** In a fleet. */
	calls?: Pick<RemoteCalls, "ask"> | undefined;
	shell: Shell;
	terminals: Terminals;
	presence: Presence;
	roots: WorkRoots;
	folders: Folders;
	workdir(): string;
	audit: AuditLog;
	redactor: Redactor;
	clock: Clock;
	logger: Logger;
	ids: IdSource;
}

/** Builds the handlers of one connection; what they remember ends with it. */
export function connectionRouters(deps: ConnectionRouterDeps): (outbound: Outbound, source: Source) => Router {
	const { conversations, shell, calls } = deps;
	const createBashExecHandler = bashExec({ shell, clock: deps.clock, ids: deps.ids, defaultCwd: deps.workdir, redactor: deps.redactor });

	const cwdFor = terminalFolders(deps);

	return (outbound, source) => {
		const about = { audit: deps.audit };
		const subscriptions = createSubscriptions({ conversations, outbound });
		const copilot = createCopilotHandler({ conversations, jobs: deps.jobs, subscriptions, logger: deps.logger, source });
		const ephemeral = createBashExecHandler();
		const remote = calls && createRemoteTerminals({ calls, outbound, clock: deps.clock, source: source.farSource });
		const handlers = new Map<string, WsHandler>([
			["copilot", copilot],
			["bash", createBashHandler({ conversations, jobs: deps.jobs, subscriptions, copilot, ephemeral, source, ...about })],
			["terminal", createTerminalHandler({ terminals: deps.terminals, outbound, cwdFor, remote, source: source.source, ...about })],
			["presence", createPresenceHandler(deps.presence)],
		]);
		return createRouter({ handlers, logger: deps.logger, redact: deps.redactor.line });
	};
}
