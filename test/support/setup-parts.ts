import type { WebChannelDeps } from "../../packages/server/src/channels/web/create-web-channel.ts";
import type { ConversationSetups } from "../../packages/server/src/core/conversations/conversation-setup.ts";
import type { Clock } from "../../packages/server/src/core/kernel/clock.ts";
import type { AgentSetups } from "../../packages/server/src/core/ports/agent-setup.ts";
import type { AuditLog } from "../../packages/server/src/core/ports/audit.ts";
import type { Folders } from "../../packages/server/src/core/ports/folders.ts";
import type { SqlDatabase } from "../../packages/server/src/core/ports/sql.ts";
import { createFolderTrust } from "../../packages/server/src/services/folder-setup/folder-trust.ts";
import { createAgentSetups } from "../../packages/server/src/services/mcp-servers/agent-setups.ts";
import { createPersonServers } from "../../packages/server/src/services/mcp-servers/person-servers.ts";
import type { WorkRoots } from "../../packages/server/src/services/work-roots/work-roots.ts";
import { createTrustedFolders } from "../../packages/server/src/store/tables/trusted-folder-store.ts";

/** What agents are given and what folders bring, for tests of a whole channel; servers that are tried always work. */
export interface SetupParts {
	/** For core. */
	given: AgentSetups;
	/** For the channel. */
	access(conversations: ConversationSetups): Pick<WebChannelDeps, "folderTrust" | "setup">;
}

export function createSetupParts(deps: {
	home: string;
	hide(secret: string): void;
	folders: Folders;
	roots: WorkRoots;
	audit: AuditLog;
	sql: SqlDatabase;
	clock: Clock;
}): SetupParts {
	const { home, hide, folders, roots, audit } = deps;
	const trusted = createTrustedFolders(deps.sql, deps.clock);
	const personServers = createPersonServers({ home, configured: {}, hide });
	return {
		given: createAgentSetups({ person: personServers, folders, trusted }),
		access: (conversations) => ({
			folderTrust: createFolderTrust({ roots, folders, audit, trusted }),
			setup: { conversations, personServers, tryServer: async () => ({ state: "connected", tools: ["echo"] }) },
		}),
	};
}
