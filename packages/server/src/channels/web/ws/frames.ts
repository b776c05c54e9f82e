import type { ReplyFrame, ServerFrame } from "@rightseat/protocol/frames/server";
import type { AppError } from "../../../core/kernel/errors.ts";

/** Frames of a command that belongs to no conversation: the usual ones without its fields. */
export type LooseBashFrame =
	| { type: "bash:start"; data: { execId: string; command: string; cwd: string; startedAt: string; origin: "web" } }
	| { type: "bash:output"; data: { execId: string; stream: "output"; output: string } }
	| {
			type: "bash:done";
			data: { execId: string; exitCode: number | null; cwd: string; truncated: boolean; durationMs: number };
	  };

export type OutFrame = ServerFrame | LooseBashFrame;

/** Sends one frame to one client. Never throws; a client that has gone gets nothing. */
export type SendFn = (frame: OutFrame) => void;

export function errorFrame(error: Pick<AppError, "code" | "message">, requestType?: string): ReplyFrame {
	return {
		type: "error",
		data: { code: error.code, message: error.message, ...(requestType === undefined ? {} : { requestType }) },
	};
}
