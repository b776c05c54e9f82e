import type { Params } from "@rightseat/protocol/model/params";
import { firstProblem, sayWrongShape } from "@rightseat/protocol/sentences/wrong-shape";
import type { FastifyError } from "fastify";
import * as z from "zod/mini";
import { AppError, type ErrorCode, mapParams, toAppError } from "../../../core/kernel/errors.ts";
import type { Logger } from "../../../core/kernel/logger.ts";
import type { Redactor } from "../../../core/kernel/redact.ts";

export interface HttpProblem {
	status: number;
	body: { error: { code: ErrorCode; message: string; params?: Params | undefined } };
}

/** What a thrown thing looks like to a client: a status, a code, a sentence; internals go to the log only. */
export function problemOf(error: unknown, deps: { logger: Logger; redact: Redactor["line"] }): HttpProblem {
	const known = fromZod(error) ?? fromFastify(error) ?? toAppError(error);
	const status = isFastifyError(error) && error.statusCode === 415 ? 415 : statusOf(known);
	if (status >= 500) deps.logger.error({ err: deps.redact(describe(error)), code: known.code }, "A request failed");
	return problem(status, known.code, deps.redact(known.message), mapParams(known.params, deps.redact));
}

export const problem = (status: number, code: ErrorCode, message: string, params?: Params): HttpProblem => ({
	status,
	body: { error: { code, message, params } },
});

const STATUS: Partial<Record<ErrorCode, number>> = {
	unauthorized: 401,
	"login-revoked": 401,
	forbidden: 403,
	"host-not-allowed": 403,
	"not-found": 404,
	"conversation-not-found": 404,
	"conversation-closing": 409,
	"conversation-busy": 409,
	"agent-cannot": 409,
	"message-not-found": 404,
	"request-not-found": 404,
	"form-invalid": 400,
	"inbox-item-not-found": 404,
	"change-not-found": 404,
	"attachment-not-found": 404,
	"terminal-not-found": 404,
	"exec-not-found": 404,
	"session-not-found": 404,
	"share-not-found": 404,
	"session-taken": 409,
	"id-reused": 409,
	"no-repository": 409,
	"commit-refused": 409,
	"push-refused": 409,
	"worktree-refused": 409,
	"git-failed": 503,
	"not-running": 409,
	"attachment-too-large": 413,
	"too-large": 413,
	"queue-full": 429,
	"rate-limited": 429,
	"too-many-subscriptions": 429,
	"too-many-commands": 429,
	"too-many-terminals": 429,
	"too-many-schedules": 429,
	"storage-read-only": 503,
	"storage-busy": 503,
	"folder-not-answering": 503,
	"changes-unavailable": 503,
	"storage-unusable": 503,
	"shell-unavailable": 503,
	"runtime-start-failed": 503,
	"runtime-died": 503,
	"runtime-resting": 503,
	"runtime-token-refused": 503,
	"session-failed": 502,
	"provider-auth": 502,
	"provider-rate-limit": 502,
	"provider-unreachable": 502,
	"provider-error": 502,
	"prompt-too-long": 502,
	"host-offline": 503,
	"host-unreachable": 504,
	"host-removed": 403,
	"host-too-old": 409,
	"not-allowed-on-host": 403,
	"command-expired": 409,
	"fleet-not-connected": 503,
	"fleet-refused": 409,
	"port-in-use": 409,
	"shutting-down": 503,
	interrupted: 500,
	internal: 500,
};
/** What is too much now: an upload or a hash is soon done, a queue or a turn takes its time. */
export const retryAfterSeconds = (code: ErrorCode): number => (code === "rate-limited" ? 2 : 10);
const statusOf = (error: AppError) => STATUS[error.code] ?? 400;

function fromZod(error: unknown): AppError | undefined {
	if (!(error instanceof z.core.$ZodError)) return undefined;
	const first = firstProblem(error.issues);
	return new AppError("bad-request", sayWrongShape(first), { params: { reason: "wrong-shape", ...first } });
}

function fromFastify(error: unknown): AppError | undefined {
	if (!isFastifyError(error)) return undefined;
	switch (error.code) {
		case "FST_ERR_CTP_BODY_TOO_LARGE":
			return new AppError("too-large", "This is too large.", { params: { reason: "body" } });
		case "FST_ERR_CTP_INVALID_MEDIA_TYPE":
			return new AppError("bad-request", "Send JSON with the content type application/json.", { params: { reason: "content-type" } });
		case "FST_ERR_CTP_INVALID_CONTENT_LENGTH":
			return new AppError("bad-request", "The body is shorter or longer than it said.", { params: { reason: "content-length" } });
		default:
			return error.statusCode !== undefined && error.statusCode < 500
				? new AppError("bad-request", "This request could not be understood.", { params: { reason: "unreadable" } })
				: undefined;
	}
}

function isFastifyError(error: unknown): error is FastifyError {
	if (!(error instanceof Error) || !("code" in error) || typeof error.code !== "string") return false;
	return "statusCode" in error && typeof error.statusCode === "number";
}

function describe(error: unknown): string {
	return error instanceof Error ? (error.stack ?? error.message) : String(error);
}
