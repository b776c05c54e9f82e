import * as z from "zod/mini";
import type { AgentTool, ToolResult } from "../../../core/ports/agent-tool.ts";
import type { Folders } from "../../../core/ports/folders.ts";
import type { ChatThread } from "../chats/chat-thread.ts";
import { type OutboundFile, readOutboundFile } from "./outbound-file.ts";
import type { Outbox } from "./outbox.ts";

const argumentsSchema = z.object({
	path: z.string().check(z.minLength(1), z.maxLength(4096)),
	caption: z.optional(z.string().check(z.maxLength(1024))),
});

/** How an agent sees it. */
export const sendFileShape = {
	name: "send_file",
	description:
		"Sends a file from the working directory to the person's Telegram chat. Pictures are shown, everything else arrives as a document.",
	parameters: {
		type: "object",
		properties: {
			path: { type: "string", description: "Path of the file, relative to the working directory or absolute inside it." },
			caption: { type: "string", description: "One or two sentences about it." },
		},
		required: ["path"],
	},
} as const;

/** Lets the agent send a file from the working directory to the person's Telegram chat. */
export function createSendFileTool(deps: {
	outbox: Outbox;
	threads: () => ChatThread[];
	where: () => { cwd: string; root: string };
	home: string;
	folders: Pick<Folders, "look">;
	redact: (text: string) => string;
}): AgentTool {
	async function deliver(thread: ChatThread, file: Extract<OutboundFile, { ok: true }>, caption: string | undefined, signal: AbortSignal) {
		const outgoing = { bytes: file.bytes, filename: file.filename, ...(caption === undefined ? {} : { caption: deps.redact(caption) }) };
		const result = await deps.outbox.upload(thread, outgoing, { kind: file.isPhoto ? "photo" : "document", signal });
		// Telegram takes few shapes of picture; as a file every one arrives.
		if (file.isPhoto && result.kind === "refused" && result.code === 400)
			return deps.outbox.upload(thread, outgoing, { kind: "document", signal });
		return result;
	}

	return {
		...sendFileShape,
		async run(args, call): Promise<ToolResult> {
			const parsed = argumentsSchema.safeParse(args);
			if (!parsed.success) return { ok: false, text: "Give the path of a file, and a caption of at most 1,024 characters if you like." };
			const threads = deps.threads();
			if (threads.length === 0)
				return { ok: false, text: "No Telegram chat shows this conversation, so there is nobody to send the file to." };
			const { path, caption } = parsed.data;
			const file = await readOutboundFile({ path, ...deps.where(), home: deps.home, folders: deps.folders });
			if (!file.ok) return { ok: false, text: file.reason };
			for (const thread of threads) {
				const result = await deliver(thread, file, caption, call.signal);
				if (result.kind === "unknown")
					return { ok: true, text: `${path} was sent, but Telegram did not confirm it. It is not sent again.` };
				if (result.kind !== "ok") {
					return { ok: false, text: `Telegram did not take ${path}: ${result.kind === "refused" ? result.description : result.message}` };
				}
			}
			return { ok: true, text: `Sent ${file.filename} (${file.bytes.length} bytes) to the person's Telegram chat.` };
		},
	};
}
