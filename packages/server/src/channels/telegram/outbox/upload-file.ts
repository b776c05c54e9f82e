import type { BotClient, CallResult, OutgoingFile } from "../api/bot-client.ts";
import type { ChatThread } from "../chats/chat-thread.ts";
import { GIVEN_UP, type SendQueue } from "./send-queue.ts";

/** Sends a file in its turn and tells how it went; a wait that Telegram orders ends with the signal. */
export function uploadFile(upload: {
	client: Pick<BotClient, "sendPhoto" | "sendDocument">;
	queue: SendQueue;
	/** Names it in the queue. */
	key: string;
	thread: ChatThread;
	file: OutgoingFile;
	kind: "photo" | "document";
	mayRead: (chatId: number) => boolean;
	signal: AbortSignal;
}): Promise<CallResult<unknown>> {
	const { client, queue, key, thread, file, signal } = upload;
	return new Promise((resolve) => {
		function stop(): void {
			resolve({ kind: "refused", code: 0, description: "stopped before it was sent" });
			// Or the file would stay in memory for as long as Telegram makes the chat wait.
			queue.dropSend(key);
		}
		signal.addEventListener("abort", stop);
		queue.send(key, {
			run: async () => {
				if (signal.aborted || !upload.mayRead(thread.chatId)) return GIVEN_UP;
				return upload.kind === "photo" ? client.sendPhoto(thread, file, {}) : client.sendDocument(thread, file, {});
			},
			settle(result) {
				signal.removeEventListener("abort", stop);
				resolve(result);
			},
		});
	});
}
