import { type ClientFrame, decodeClientFrame } from "@rightseat/protocol/frames/client";
import { echoOf } from "@rightseat/protocol/frames/echo";
import type { Awaitable } from "../../../core/kernel/awaitable.ts";
import { AppError, mapParams, toAppError } from "../../../core/kernel/errors.ts";
import type { Logger } from "../../../core/kernel/logger.ts";
import type { Redactor } from "../../../core/kernel/redact.ts";
import { answerTo, errorFrame, type SendFn } from "./frames.ts";

/** Handles the frames of one prefix for one connection. */
export interface WsHandler {
	/** What it throws becomes an `error` frame; the connection and the other handlers go on. Answers go through `answerTo`. */
	handle(frame: ClientFrame, send: SendFn): Awaitable<void>;
	/** The connection has gone; release what belongs to it. */
	onDisconnect?: (send: SendFn) => void;
}

export interface Router {
	/** False when the frame could not be understood. */
	route(raw: string, send: SendFn): boolean;
	/** Tells every handler, whatever the others do. */
	disconnect(send: SendFn): void;
}

/** Sends each frame to the handler of its prefix: `copilot:send` to `copilot`. */
export function createRouter(deps: { handlers: ReadonlyMap<string, WsHandler>; logger: Logger; redact: Redactor["line"] }): Router {
	const { handlers, logger } = deps;

	function failed(error: unknown, frame: ClientFrame, send: SendFn) {
		const known = toAppError(error);
		if (known.code === "internal") {
			logger.error({ type: frame.type, err: deps.redact(describe(error)) }, "A WebSocket handler failed");
		}
		const params = mapParams(known.params, deps.redact);
		send(errorFrame({ code: known.code, message: deps.redact(known.message), params }, echoOf(frame)));
	}
	function handled(frame: ClientFrame, send: SendFn) {
		if (frame.requestId !== undefined && !ANSWERED_BY_ITS_HANDLER.has(frame.type)) send(answerTo(frame, { type: "done" }));
	}

	return {
		route(raw, send) {
			const decoded = decodeClientFrame(raw);
			if (!decoded.ok) {
				send(errorFrame(decoded, decoded.echo));
				return false;
			}
			const { frame } = decoded;
			if (frame.type === "ping") {
				send(answerTo(frame, { type: "pong" }));
				return true;
			}
			const handler = handlers.get(frame.type.slice(0, frame.type.indexOf(":")));
			if (handler === undefined) {
				send(
					errorFrame(
						new AppError("unknown-type", `Nothing here handles "${frame.type}".`, { params: { type: frame.type } }),
						echoOf(frame),
					),
				);
				return false;
			}
			try {
				const pending = handler.handle(frame, send);
				if (pending instanceof Promise) {
					pending.then(
						() => handled(frame, send),
						(error: unknown) => failed(error, frame, send),
					);
				} else handled(frame, send);
			} catch (error) {
				failed(error, frame, send);
			}
			return true;
		},
		disconnect(send) {
			for (const [prefix, handler] of handlers) {
				try {
					handler.onDisconnect?.(send);
				} catch (error) {
					logger.error({ prefix, err: deps.redact(describe(error)) }, "A WebSocket handler failed to clean up");
				}
			}
		},
	};
}

/** Everything else is answered here, if it asked for an answer. */
const ANSWERED_BY_ITS_HANDLER: ReadonlySet<string> = new Set<ClientFrame["type"]>([
	"copilot:send",
	"copilot:subscribe",
	"copilot:status",
	"bash:exec",
	"bash:jobs",
	"bash:job_output",
	"terminal:open",
]);

function describe(error: unknown): string {
	return error instanceof Error ? (error.stack ?? error.message) : String(error);
}
