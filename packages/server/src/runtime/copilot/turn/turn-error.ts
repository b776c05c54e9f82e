import type { TurnError } from "@rightseat/protocol/model/turn";
import { AppError, type ErrorCode } from "../../../core/kernel/errors.ts";

export interface RuntimeErrorData {
	errorType: string;
	message: string;
	statusCode?: number;
}

/** Turns what the runtime says about a failed model call into a code and a sentence that says what to do. */
export function toTurnError(
	data: RuntimeErrorData,
	provider: { kind: "copilot" | "byok" | "demo"; redact(text: string): string },
): TurnError {
	// The runtime ends some texts with settings of its own that have no effect here.
	const detail = shorten(provider.redact(data.message.replace(/\s*Check your COPILOT_.*$/s, "")));
	const code = errorCode(data);
	const message = `${advice(code, provider.kind, data)} (${detail})`;
	return { code, message, params: { reason: reasonOf(code, provider.kind, data), detail }, retryable: code !== "provider-auth" };
}

export function fromAppError(error: unknown): TurnError {
	if (error instanceof AppError) return { code: error.code, message: error.message, params: error.params, retryable: error.retryable };
	return { code: "session-failed", message: "The agent session failed. Send the message again; the log has the details.", retryable: true };
}

/** Which of the sentences of `advice` a reader of another language says. */
function reasonOf(code: ErrorCode, kind: "copilot" | "byok" | "demo", data: RuntimeErrorData): string {
	if (code === "provider-auth" || code === "provider-unreachable") return kind === "copilot" ? "copilot" : "provider";
	return code === "provider-error" && data.statusCode === 404 ? "unknown-address" : "failed";
}

function errorCode({ errorType, message, statusCode }: RuntimeErrorData): ErrorCode {
	const status = statusCode ?? Number(/\b(?:HTTP )?([45]\d\d)\b/.exec(message)?.[1] ?? 0);
	if (errorType === "authentication" || status === 401 || status === 403 || /No GitHub OAuth token|Not authenticated/i.test(message))
		return "provider-auth";
	if (errorType === "rate_limit" || errorType === "quota" || status === 429) return "provider-rate-limit";
	if (/could not connect|ECONNREFUSED|ENOTFOUND|EHOSTUNREACH|ETIMEDOUT|EAI_AGAIN|error sending request|dns error/i.test(message))
		return "provider-unreachable";
	return status === 413 || TOO_LONG.test(message) ? "prompt-too-long" : "provider-error";
}

function advice(code: ErrorCode, kind: "copilot" | "byok" | "demo", data: RuntimeErrorData): string {
	switch (code) {
		case "provider-auth":
			return kind === "copilot"
				? "GitHub Copilot refused the token. Check that the account has Copilot, and the token: in the settings of the page, or GITHUB_TOKEN and a restart."
				: "The model provider refused the key. Check it in the settings of the page, or RIGHTSEAT_PROVIDER_KEY and RIGHTSEAT_PROVIDER_URL and restart.";
		case "provider-rate-limit":
			return "The model provider limits how often it may be asked. Wait a little and send the message again, or choose another model.";
		case "provider-unreachable":
			return kind === "copilot"
				? "GitHub Copilot could not be reached. Check the network and send the message again."
				: "The model provider could not be reached. Check that it runs, RIGHTSEAT_PROVIDER_URL and the network, then send the message again.";
		case "prompt-too-long":
			return "This is more than the model takes at once. Shorten the prompt, drop results of commands, or choose a model with a larger context.";
		default:
			return data.statusCode === 404
				? "The model provider does not know this address or model. Choose another model or check RIGHTSEAT_PROVIDER_URL."
				: "The model provider could not answer. Send the message again, or choose another model.";
	}
}

/** How providers say that the prompt does not fit: OpenAI, Azure, Anthropic, llama.cpp, vLLM, Ollama. */
const TOO_LONG =
	/context[_ ]length|context (?:window|size)|maximum context|(?:prompt|input|request) (?:is )?too (?:long|large)|too many tokens|token limit|exceed\w* .{0,40}(?:context|tokens)/i;

const MAX_DETAIL_CHARS = 400;

function shorten(text: string): string {
	const line = text.replace(/\s+/g, " ").trim();
	return line.length > MAX_DETAIL_CHARS ? `${line.slice(0, MAX_DETAIL_CHARS)}…` : line;
}
