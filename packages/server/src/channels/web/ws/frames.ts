import type { ClientFrameOf } from "@rightseat/protocol/frames/client";
import { type Echo, echoOf } from "@rightseat/protocol/frames/echo";
import type { AnswerFrame, ServerFrame } from "@rightseat/protocol/frames/server";
import type { Params } from "@rightseat/protocol/model/params";
import type { AppError } from "../../../core/kernel/errors.ts";

/** Frames of a command that belongs to no conversation: the usual ones without its fields. */
export type LooseBashFrame =
	| {
			type: "bash:start";
			data: { execId: string; command: string; cwd: string; startedAt: string; origin: "web"; clientMessageId?: string };
	  }
	| { type: "bash:output"; data: { execId: string; stream: "output"; output: string } }
	| {
			type: "bash:done";
			data: { execId: string; exitCode: number | null; cwd: string; truncated: boolean; durationMs: number };
	  };

export type OutFrame = ServerFrame | LooseBashFrame;

/** Sends one frame to one client. Never throws; a client that has gone gets nothing. */
export type SendFn = (frame: OutFrame) => void;

/** The answer to a frame carries the id that the frame was given, so that the client can correlate the two. */
export function answerTo(frame: { requestId?: string | undefined }, reply: AnswerFrame): AnswerFrame {
	return frame.requestId === undefined ? reply : { ...reply, requestId: frame.requestId };
}

/** A prompt or a command was refused; nothing of it was stored. */
export function nackTo(frame: ClientFrameOf<"copilot:send" | "bash:exec">, { code, message, params, retryable }: AppError): AnswerFrame {
	const { conversationId, clientMessageId } = echoOf(frame).ids;
	const ids = {
		...(conversationId === undefined ? {} : { conversationId }),
		...(clientMessageId === undefined ? {} : { clientMessageId }),
	};
	return answerTo(frame, { type: "copilot:nack", data: { ...ids, code, message, params, retryable } });
}

/** A refusal, with whatever names the frame that it refuses. */
export function errorFrame(
	error: Pick<AppError, "code" | "message"> & { params?: Params | undefined },
	echo: Echo = { ids: {} },
): AnswerFrame {
	const { requestType, ids } = echo;
	return answerTo(echo, {
		type: "error",
		data: { code: error.code, message: error.message, params: error.params, ...(requestType === undefined ? {} : { requestType }), ...ids },
	});
}
