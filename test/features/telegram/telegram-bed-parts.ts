import { channel as diagnosticsChannel } from "node:diagnostics_channel";
import type { ClientRequest } from "node:http";
import type { Logger } from "../../../packages/server/src/core/kernel/logger.ts";
import type { BotApiEmulator } from "../../support/bot-api/bot-api-emulator.ts";

export interface LogLine {
	level: string;
	message: string;
	fields: object;
}

/** Requests of this process to the emulator that are not answered yet; a poll that the emulator holds is at rest. */
export function watchTraffic(api: BotApiEmulator) {
	const calls = new Set<ClientRequest>();
	const polls = new Set<ClientRequest>();
	const started = (message: unknown) => {
		const request = requestOf(message);
		if (request === undefined || !request.path.startsWith("/bot") || !api.url.endsWith(String(request.getHeader("host")))) return;
		const open = request.path.endsWith("/getUpdates") ? polls : calls;
		open.add(request);
		request.once("close", () => open.delete(request));
	};
	const channel = diagnosticsChannel("http.client.request.start");
	channel.subscribe(started);
	return {
		isQuiet: () => calls.size === 0 && (polls.size === 0 || api.updates.polling() || api.isHanging()),
		stop: () => channel.unsubscribe(started),
	};
}

function requestOf(message: unknown): ClientRequest | undefined {
	if (typeof message !== "object" || message === null || !("request" in message)) return undefined;
	const { request } = message;
	return isRequest(request) ? request : undefined;
}

const isRequest = (value: unknown): value is ClientRequest =>
	typeof value === "object" && value !== null && "path" in value && "once" in value;

export function recordingLogger(log: LogLine[]): Logger {
	const write = (level: string) => (fields: object, message: string) => {
		log.push({ level, message, fields });
	};
	return { debug: write("debug"), info: write("info"), warn: write("warn"), error: write("error"), fatal: write("fatal") };
}
