import type { EveryConversations } from "../../../core/conversations/conversations.ts";
import { conversationId } from "../../../core/kernel/ids.ts";
import type { Folders } from "../../../core/ports/folders.ts";
import type { Shell } from "../../../core/ports/shell.ts";
import type { WorkRoots } from "../../../services/work-roots/work-roots.ts";

/** Where a terminal starts; rejects when people may not work there. */
export function terminalFolders(deps: {
	conversations: Pick<EveryConversations, "get">;
	shell: Pick<Shell, "cwd">;
	roots: Pick<WorkRoots, "check">;
	folders: Pick<Folders, "look">;
	workdir(): string;
}) {
	return async (request: { cwd?: string; conversationId?: string }): Promise<string> => {
		if (request.cwd !== undefined) return deps.roots.check(request.cwd);
		if (request.conversationId === undefined) return deps.workdir();
		const { id, cwd } = deps.conversations.get(conversationId(request.conversationId));
		const kept = deps.shell.cwd(conversationId(id), cwd);
		return (await deps.folders.look(kept))?.isDirectory === true ? kept : cwd;
	};
}
