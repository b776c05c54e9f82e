import type { Params } from "@rightseat/protocol/model/params";

/** Every error that crosses a boundary has a code from here and an entry in docs/errors.md; a test compares the two lists. */
export const ERROR_CODES = [
	"bad-request",
	"bad-json",
	"bad-frame",
	"unknown-type",
	"unauthorized",
	"login-revoked",
	"forbidden",
	"host-not-allowed",
	"not-found",
	"conversation-not-found",
	"conversation-closing",
	"conversation-busy",
	"agent-cannot",
	"message-not-found",
	"request-not-found",
	"form-invalid",
	"inbox-item-not-found",
	"change-not-found",
	"changes-unavailable",
	"unknown-agent",
	"unknown-model",
	"unknown-option",
	"session-not-found",
	"share-not-found",
	"session-taken",
	"cwd-missing",
	"folder-not-answering",
	"no-repository",
	"commit-refused",
	"push-refused",
	"worktree-refused",
	"git-failed",
	"bad-schedule",
	"too-many-schedules",
	"id-reused",
	"empty-prompt",
	"queue-full",
	"not-running",
	"attachment-not-found",
	"attachment-too-large",
	"too-large",
	"rate-limited",
	"too-many-subscriptions",
	"too-many-commands",
	"too-many-terminals",
	"terminal-not-found",
	"exec-not-found",
	"storage-read-only",
	"storage-busy",
	"storage-unusable",
	"shell-unavailable",
	"runtime-start-failed",
	"runtime-died",
	"runtime-resting",
	"runtime-token-refused",
	"agent-missing",
	"agent-login",
	"agent-start-failed",
	"agent-died",
	"agent-frozen",
	"agent-protocol",
	"agent-resting",
	"session-failed",
	"provider-auth",
	"provider-rate-limit",
	"provider-unreachable",
	"provider-error",
	"prompt-too-long",
	"host-offline",
	"host-unreachable",
	"host-removed",
	"host-too-old",
	"not-allowed-on-host",
	"command-expired",
	"fleet-not-connected",
	"fleet-refused",
	"port-in-use",
	"shutting-down",
	"interrupted",
	"internal",
] as const;
/** Stable: clients compare it. */
export type ErrorCode = (typeof ERROR_CODES)[number];

/** An error with a code for programs and a sentence for people that says what to do next. */
export class AppError extends Error {
	readonly code: ErrorCode;
	/** The values of the sentence, for readers in another language. */
	readonly params: Params | undefined;
	/** Trying the same again later may work. */
	readonly retryable: boolean;
	constructor(code: ErrorCode, message: string, options: { cause?: unknown; retryable?: boolean; params?: Params | undefined } = {}) {
		super(message, options.cause === undefined ? undefined : { cause: options.cause });
		this.name = "AppError";
		this.code = code;
		this.params = options.params;
		this.retryable = options.retryable ?? false;
	}
}

/** Turns anything thrown into an AppError without showing internals to people. */
export function toAppError(error: unknown): AppError {
	if (error instanceof AppError) return error;
	return new AppError("internal", "Something went wrong on the server. The log has the details.", { cause: error });
}

/** The values of a sentence, each text passed through `change`, such as a redactor. */
export function mapParams(params: Params | undefined, change: (text: string) => string): Params | undefined {
	if (params === undefined) return undefined;
	return Object.fromEntries(Object.entries(params).map(([name, value]) => [name, typeof value === "string" ? change(value) : value]));
}

/** Makes a switch exhaustive; throws if the types were wrong. */
export function assertNever(value: never): never {
	throw new AppError("internal", `Unexpected value: ${JSON.stringify(value)}`);
}
