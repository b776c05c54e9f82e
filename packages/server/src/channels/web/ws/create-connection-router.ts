import type { Clock } from "../../../core/clock.ts";
import type { Conversations } from "../../../core/conversations.ts";
import { conversationId, type IdSource } from "../../../core/ids.ts";
import type { Logger } from "../../../core/logger.ts";
import type { AuditLog } from "../../../core/ports/audit.ts";
import type { Folders } from "../../../core/ports/folders.ts";
import type { Shell } from "../../../core/ports/shell.ts";
import type { Redactor } from "../../../core/redact.ts";
import type { Presence } from "../presence.ts";
import { createTerminalHandler } from "../terminal/terminal-handler.ts";
import type { Terminals } from "../terminal/terminals.ts";
import type { WorkRoots } from "../work-roots.ts";
import { bashExec } from "./bash-exec-handler.ts";
import { createBashHandler } from "./bash-handler.ts";
import { createCopilotHandler } from "./copilot-handler.ts";
import type { Outbound } from "./outbound.ts";
import { createRouter, type Router, type WsHandler } from "./router.ts";
import { createSubscriptions } from "./subscriptions.ts";

export interface ConnectionRouterDeps {
	conversations: Conversations;
	shell: Shell;
	terminals: Terminals;
	presence: Presence;
	roots: WorkRoots;
	folders: Folders;
	workdir: string;
	audit: AuditLog;
	redactor: Redactor;
	clock: Clock;
	logger: Logger;
	ids: IdSource;
}

/** Builds the handlers of one connection; what they remember ends with it. */
export function connectionRouters(deps: ConnectionRouterDeps): (outbound: Outbound, source: string) => Router {
	const { conversations, shell, roots } = deps;
	const createBashExecHandler = bashExec({ shell, clock: deps.clock, ids: deps.ids, defaultCwd: deps.workdir, redactor: deps.redactor });

	async function cwdFor(request: { cwd?: string; conversationId?: string }): Promise<string> {
		if (request.cwd !== undefined) return roots.check(request.cwd);
		if (request.conversationId === undefined) return deps.workdir;
		const { id, cwd } = conversations.get(conversationId(request.conversationId));
		const kept = shell.cwd(conversationId(id), cwd);
		return (await deps.folders.look(kept))?.isDirectory === true ? kept : cwd;
	}

	return (outbound, source) => {
		const about = { audit: deps.audit, source };
		const subscriptions = createSubscriptions({ conversations, outbound });
		const copilot = createCopilotHandler({ conversations, subscriptions, logger: deps.logger, source });
		const loose = createBashExecHandler();
		const handlers = new Map<string, WsHandler>([
			["copilot", copilot],
			["bash", createBashHandler({ conversations, shell, subscriptions, copilot, loose, ...about })],
			["terminal", createTerminalHandler({ terminals: deps.terminals, outbound, cwdFor, ...about })],
			["presence", deps.presence.handler()],
		]);
		return createRouter({ handlers, logger: deps.logger, redact: deps.redactor.line });
	};
}
