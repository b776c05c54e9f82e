import type { ActiveConversations } from "../active/active-conversations.ts";
import type { Closing } from "../active/closing.ts";
import type { ConversationRows } from "../active/conversation-rows.ts";
import type { ConversationId } from "../kernel/ids.ts";
import type { AuditLog } from "../ports/audit.ts";
import type { Shell } from "../ports/shell.ts";
import type { AskDeps } from "./ask-question.ts";
import { type Asks, createAsks } from "./pending-requests.ts";
import { createPermissionManager, type PermissionManager, permissionRules } from "./permission-manager.ts";
import type { RememberedPermissions } from "./remembered/remembered-permissions.ts";
import { createRuleGate, noRules, type RuleGate } from "./remembered/rule-gate.ts";

export interface AskingDeps extends AskDeps {
	active: Pick<ActiveConversations, "get" | "find" | "asking">;
	closing: Pick<Closing, "check">;
	rows: Pick<ConversationRows, "get">;
	shell: Pick<Shell, "cwd" | "plainCwd">;
	audit?: Pick<AuditLog, "record"> | undefined;
	/** Nothing is remembered for good without it. */
	remembered?: RememberedPermissions | undefined;
	isOwnUpload?: ((conversationId: ConversationId, path: string) => Promise<boolean>) | undefined;
}

/** Everything that the agent asks people, and what they said for longer than once. */
export function createAsking(deps: AskingDeps): { asks: Asks; permissions: PermissionManager; rules: RuleGate } {
	const { rows, shell, remembered, audit, isOwnUpload = async () => false } = deps;
	const asks = createAsks({ ...deps, remember: (offered) => remembered?.remember(offered) });
	const plainCwd = (id: ConversationId) => shell.plainCwd(id, rows.get(id).cwd);
	const realCwd = async (id: ConversationId) => remembered?.realFolder(shell.cwd(id, rows.get(id).cwd));
	const rules = remembered === undefined ? noRules : createRuleGate({ remembered, plainCwd, realCwd, audit });
	return { asks, rules, permissions: createPermissionManager({ ...permissionRules(rows), isOwnUpload, rules, ask: asks.permission }) };
}
