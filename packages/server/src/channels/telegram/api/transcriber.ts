import { fieldOf } from "@rightseat/protocol/model/field";
import { hideTokenShapes } from "../../../core/kernel/redact.ts";
import type { Messages } from "../messages/messages.ts";
import { SpokenError } from "../messages/spoken-error.ts";

/** An OpenAI-compatible transcription endpoint. */
export interface TranscriptionConfig {
	url: string;
	key?: string;
	model?: string;
}

export const MAX_VOICE_BYTES = 20 * 1024 * 1024;
const TIMEOUT_MS = 120_000;
const MAX_TRANSCRIPT_CHARS = 20_000;

/** Speech to text; rejects with a sentence for the person. */
export async function transcribe(
	config: TranscriptionConfig,
	words: Messages,
	voice: { bytes: Uint8Array; name: string; mimeType: string },
): Promise<string> {
	const url = /\/transcriptions$/.test(config.url) ? config.url : `${config.url.replace(/\/+$/, "")}/audio/transcriptions`;
	const form = new FormData();
	form.set("file", new File([Buffer.from(voice.bytes)], voice.name, { type: voice.mimeType }));
	form.set("model", config.model ?? "whisper-1");
	form.set("response_format", "json");
	const response = await fetch(url, {
		method: "POST",
		body: form,
		headers: config.key === undefined ? {} : { authorization: `Bearer ${config.key}` },
		signal: AbortSignal.timeout(TIMEOUT_MS),
	}).catch((error: unknown) => {
		throw failed(words.hearingUnreachable(hideTokenShapes(String(error))));
	});
	if (!response.ok) throw failed(words.hearingFailed(response.status));
	const text = fieldOf(await response.json(), "text");
	if (typeof text !== "string" || text.trim() === "") throw failed(words.heardNothing);
	return text.trim().slice(0, MAX_TRANSCRIPT_CHARS);
}

const failed = (message: string) => new SpokenError("provider-error", message, { retryable: true });
