import { join } from "node:path";
import { conversationId } from "../../packages/server/src/core/kernel/ids.ts";
import { silentLogger } from "../../packages/server/src/core/kernel/logger.ts";
import type { ToolResult } from "../../packages/server/src/core/ports/agent-tool.ts";
import type { Shell } from "../../packages/server/src/core/ports/shell.ts";
import { createShell } from "../../packages/server/src/shell/service/create-shell.ts";

const BUILT_SHELLD = join(import.meta.dirname, "..", "..", "packages/server/dist/shelld.js");

export interface ShellBed {
	shell: Shell;
	/** The agent's Bash tool, as one conversation sees it. */
	bash(command: string, options?: { signal?: AbortSignal; conversation?: string }): Promise<ToolResult>;
}

/** The shell as the server has it: the client in this process, the shell process as it was built. */
export async function withShell<T>(home: string, work: (bed: ShellBed) => Promise<T>): Promise<T> {
	const shell = createShell({ home, logger: silentLogger, secrets: [], shelldPath: BUILT_SHELLD });
	let calls = 0;
	const bed: ShellBed = {
		shell,
		async bash(command, { signal = new AbortController().signal, conversation = "bench" } = {}) {
			const [tool] = shell.tools(conversationId(conversation), home);
			calls += 1;
			const result = await tool?.run({ command }, { toolCallId: `call-${calls}`, signal, output: () => undefined });
			if (result === undefined) throw new Error("The shell offers no Bash tool.");
			return result;
		},
	};
	try {
		await bed.bash("true");
		return await work(bed);
	} finally {
		await shell.close();
	}
}
