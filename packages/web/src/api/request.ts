import { errorAnswer } from "@rightseat/protocol/http/error";
import type { Params } from "@rightseat/protocol/model/params";
import * as z from "zod/mini";
import { commonWords } from "../i18n/common-messages.ts";
import { matchLanguage, translator } from "../i18n/words.ts";

/** The server said no. `message` is its own sentence, in English; `failureText` says it in the page's language. */
export class ApiError extends Error {
	readonly code: string;
	readonly status: number;
	readonly params: Params | undefined;
	readonly retryAfterSeconds: number | undefined;
	constructor(options: { code: string; status: number; message: string; params?: Params; retryAfterSeconds?: number }) {
		super(options.message);
		this.name = "ApiError";
		this.code = options.code;
		this.params = options.params;
		this.status = options.status;
		this.retryAfterSeconds = options.retryAfterSeconds;
	}
}

export interface RequestOptions {
	method?: "GET" | "POST" | "PATCH" | "PUT" | "DELETE";
	json?: unknown;
	body?: BodyInit;
	accept?: string;
	signal?: AbortSignal;
}

/** One HTTP call; throws ApiError with status 0 when the server cannot be reached. */
export async function request(path: string, options: RequestOptions = {}): Promise<Response> {
	let response: Response;
	try {
		response = await fetch(path, {
			method: options.method ?? "GET",
			credentials: "same-origin",
			headers: {
				...(options.accept && { accept: options.accept }),
				...(options.json !== undefined && { "content-type": "application/json" }),
			},
			body: options.json === undefined ? (options.body ?? null) : JSON.stringify(options.json),
			signal: options.signal ?? null,
		});
	} catch (cause) {
		if (options.signal?.aborted === true) throw cause;
		// Said here, because the sentences for errors may not have come when the network has gone.
		const language = matchLanguage(document.documentElement.lang) ?? "en";
		throw new ApiError({ code: "unreachable", status: 0, message: translator(commonWords, language)("unreachable") });
	}
	if (response.ok) return response;
	const parsed = errorAnswer.safeParse(await response.json().catch(() => undefined));
	const retryAfter = Number(response.headers.get("retry-after") ?? Number.NaN);
	throw new ApiError({
		code: parsed.success ? parsed.data.error.code : "internal",
		status: response.status,
		params: parsed.success ? parsed.data.error.params : undefined,
		message: parsed.success ? parsed.data.error.message : `The server answered ${response.status}.`,
		retryAfterSeconds: Number.isFinite(retryAfter) ? retryAfter : undefined,
	});
}

/** A call whose answer is checked against a schema, so that the rest of the page may trust it. */
export async function requestJson<S extends z.core.$ZodType>(path: string, schema: S, options: RequestOptions = {}): Promise<z.output<S>> {
	const response = await request(path, options);
	return z.parse(schema, await response.json());
}
