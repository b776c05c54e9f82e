import { Agent as HttpAgent } from "node:http";
import { Agent as HttpsAgent } from "node:https";
import { Api, type RawApi } from "grammy";
import { AppError } from "../../../core/kernel/errors.ts";

/** The methods of the Bot API that we call. */
export type BotMethods = Pick<
	RawApi,
	| "getMe"
	| "getUpdates"
	| "deleteWebhook"
	| "setMyCommands"
	| "sendMessage"
	| "sendDocument"
	| "sendPhoto"
	| "editMessageText"
	| "editMessageReplyMarkup"
	| "deleteMessage"
	| "sendChatAction"
	| "answerCallbackQuery"
	| "getFile"
>;

/** One way to Telegram: calls reject with grammY's errors, and all of them end when it is destroyed. */
export interface BotLine {
	raw: BotMethods;
	/** Fetches a file by the path that Telegram gave, at most `maxBytes`. */
	file(path: string, maxBytes: number): Promise<Uint8Array>;
	destroy(): void;
}
export type OpenLine = (options: { keepAlive: boolean; timeoutSeconds: number }) => BotLine;

/** The real one, over HTTP. */
export function openHttpLine({ token, apiRoot = "https://api.telegram.org" }: { token: string; apiRoot?: string }): OpenLine {
	const root = apiRoot.replace(/\/+$/, "");
	return ({ keepAlive, timeoutSeconds }) => {
		const agent = root.startsWith("https:") ? new HttpsAgent({ keepAlive }) : new HttpAgent({ keepAlive });
		const { raw } = new Api(token, { apiRoot: root, timeoutSeconds, baseFetchConfig: { agent, compress: true } });
		return {
			raw,
			file: (path, maxBytes) => fetchFile(`${root}/file/bot${token}/${path}`, maxBytes, timeoutSeconds * 1000),
			destroy: () => agent.destroy(),
		};
	};
}

async function fetchFile(url: string, maxBytes: number, timeoutMs: number): Promise<Uint8Array> {
	const response = await fetch(url, { signal: AbortSignal.timeout(timeoutMs) });
	if (!response.ok || response.body === null)
		throw new AppError("attachment-not-found", `Telegram answered ${response.status} for a file.`, {
			params: { reason: "telegram", status: response.status },
		});
	const chunks: Uint8Array[] = [];
	let size = 0;
	for await (const chunk of response.body) {
		size += chunk.length;
		if (size > maxBytes) throw new AppError("attachment-too-large", "The file is larger than Telegram said.");
		chunks.push(chunk);
	}
	return Buffer.concat(chunks);
}
