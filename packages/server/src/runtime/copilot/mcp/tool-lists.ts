import { cutText } from "@rightseat/protocol/text";
import type { Clock } from "../../../core/kernel/clock.ts";
import { AppError } from "../../../core/kernel/errors.ts";
import { withTimeout } from "../../../core/kernel/with-timeout.ts";
import type { ServersRpc } from "./sdk-servers.ts";

/** Tools that one MCP server may have, and all that is told of them, as JSON: every one of them goes to the model with every call. */
export const MAX_SERVER_TOOLS = 256;
const MAX_TOOL_LIST_BYTES = 1_048_576;
const MAX_TOOL_NAME_CHARS = 128;
const LIST_LIMIT_MS = 3_000;

/** `flood`: there are more tools, or more is told of them, than a model can be given. */
export type ToolList = { kind: "tools"; names: string[] } | { kind: "flood"; error: string } | { kind: "unknown" };

/** What a connected server offers. Never rejects. */
export async function listTools(rpc: Pick<ServersRpc, "listTools">, serverName: string, clock: Clock): Promise<ToolList> {
	const late = () => new AppError("session-failed", "The tools were not listed in time.");
	const listed = await withTimeout(rpc.listTools({ serverName }), { clock, ms: LIST_LIMIT_MS, late }).catch(() => undefined);
	if (listed === undefined) return { kind: "unknown" };
	const { tools } = listed;
	const bytes = Buffer.byteLength(JSON.stringify(tools));
	if (tools.length > MAX_SERVER_TOOLS || bytes > MAX_TOOL_LIST_BYTES) {
		const [count, size] = [tools.length, Math.ceil(bytes / 1024)];
		return {
			kind: "flood",
			error: `It has ${count} tools (${size} KB). At most ${MAX_SERVER_TOOLS} tools and 1024 KB can be given to a model.`,
		};
	}
	return { kind: "tools", names: tools.map(({ name }) => cutText(name.toWellFormed(), MAX_TOOL_NAME_CHARS)) };
}
