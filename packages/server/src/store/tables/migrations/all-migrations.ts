import { core } from "./0001-core.ts";
import { removedMessages } from "./0004-removed-messages.ts";
import { messagePieces } from "./0005-message-pieces.ts";
import { deletedConversations } from "./0006-deleted-conversations.ts";
import { conversationAgent } from "./0007-conversation-agent.ts";
import { conversationSettings } from "./0008-conversation-settings.ts";
import { continuedConversations } from "./0009-continued-conversations.ts";
import { web } from "./0010-web.ts";
import { logins } from "./0015-logins.ts";
import { telegram } from "./0020-telegram.ts";
import { telegramOrder } from "./0021-telegram-order.ts";
import { telegramTold } from "./0022-telegram-told.ts";
import { worktrees } from "./0030-worktrees.ts";
import { mcp } from "./0040-mcp.ts";
import { inbox } from "./0050-inbox.ts";
import { usage } from "./0055-usage.ts";
import { schedules } from "./0060-schedules.ts";
import { forks } from "./0065-forks.ts";
import { shares } from "./0066-shares.ts";
import { fleet } from "./0070-fleet.ts";
import { trustedFolders } from "./0080-trusted-folders.ts";
import { permissionRules } from "./0082-permission-rules.ts";
import { mcpSwitches } from "./0085-mcp-switches.ts";
import { todos } from "./0089-todos.ts";
import { agentProfile } from "./0091-agent-profile.ts";
import type { Migration } from "./migration.ts";

/**
 * Every migration, applied in this order; each runs once, whatever was applied before it.
 * Numbers: 0001-0009 core, 0010-0019 web channel, 0020-0029 Telegram, 0030-0039 services, 0040-0049 MCP, 0050-0054 inbox, 0055-0059 usage, 0060-0064 schedules, 0065-0069 forks and shares, 0070-0079 the fleet, 0080-0099 set-ups of agents.
 */
export const allMigrations: readonly Migration[] = [
	core,
	removedMessages,
	messagePieces,
	deletedConversations,
	conversationAgent,
	conversationSettings,
	continuedConversations,
	web,
	logins,
	telegram,
	telegramOrder,
	telegramTold,
	worktrees,
	mcp,
	inbox,
	usage,
	schedules,
	forks,
	shares,
	fleet,
	trustedFolders,
	permissionRules,
	mcpSwitches,
	todos,
	agentProfile,
];
