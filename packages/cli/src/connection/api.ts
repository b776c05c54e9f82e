import { type IncomingMessage, request as requestPlain } from "node:http";
import { request as requestSecure } from "node:https";
import { setTimeout as sleep } from "node:timers/promises";
import { errorAnswer } from "@rightseat/protocol/http/error";
import type * as z from "zod/mini";
import type { FoundServer } from "../find-server/find-server.ts";

/** Of one answer; a page of messages has at most 2 MB. */
const MAX_ANSWER_BYTES = 32 * 1024 * 1024;
/** Nothing came for this long: the line is dead. */
const QUIET_MS = 20_000;
/** How often a request is made again: after a lost line, or when the server says that it is busy. */
const MAX_TRIES = 6;
const MAX_WAIT_MS = 10_000;

/** The server refused a request. */
export class RefusedError extends Error {
	readonly status: number;
	readonly code: string;
	readonly params: Record<string, string | number> | undefined;
	constructor(status: number, problem: { code: string; message: string; params?: Record<string, string | number> | undefined }) {
		super(problem.message);
		this.status = status;
		this.code = problem.code;
		this.params = problem.params;
	}
}

/** Nobody answers there, or not in our language. */
export class UnreachableError extends Error {
	readonly reason: "no-answer" | "not-ours";
	constructor(reason: "no-answer" | "not-ours", message: string) {
		super(message);
		this.reason = reason;
	}
}

/** The other side speaks another version of the protocol. */
export class ProtocolError extends Error {
	readonly newer: "server" | "client";
	constructor(newer: "server" | "client") {
		super(`The ${newer} is newer.`);
		this.newer = newer;
	}
}

/** How long a silent answer is waited for, and how often a request is made. */
export interface ApiLimits {
	quietMs: number;
	tries: number;
}

/** The HTTP routes of a server. Throws RefusedError and UnreachableError. */
export interface Api {
	get<T extends z.ZodMiniType>(path: string, answer: T): Promise<z.output<T>>;
	post<T extends z.ZodMiniType>(path: string, body: unknown, answer: T): Promise<z.output<T>>;
	put<T extends z.ZodMiniType>(path: string, body: unknown, answer: T): Promise<z.output<T>>;
	patch<T extends z.ZodMiniType>(path: string, body: unknown, answer: T): Promise<z.output<T>>;
	delete<T extends z.ZodMiniType>(path: string, answer: T): Promise<z.output<T>>;
}

export function createApi(server: FoundServer, limits: ApiLimits = { quietMs: QUIET_MS, tries: MAX_TRIES }): Api {
	async function call<T extends z.ZodMiniType>(method: string, path: string, body: unknown, answer: T): Promise<z.output<T>> {
		for (let tries = 1; ; tries++) {
			const waitMs = Math.min(MAX_WAIT_MS, 250 * 2 ** tries * (0.5 + Math.random()));
			try {
				const { status, headers, text } = await once(server, { method, path, body, quietMs: limits.quietMs });
				const isBusy = status === 429 || status === 503;
				if (!isBusy || tries >= limits.tries) return read(status, text, answer);
				await sleep(Math.min(MAX_WAIT_MS, Math.max(Number(headers["retry-after"] ?? 0) * 1_000, waitMs)));
			} catch (error) {
				const lost = error instanceof Error && "code" in error && LOST_LINE.has(String(error.code));
				if (!lost) throw asUnreachable(error);
				if (tries >= limits.tries) throw asUnreachable(error);
				await sleep(waitMs);
			}
		}
	}
	return {
		get: (path, answer) => call("GET", path, undefined, answer),
		post: (path, body, answer) => call("POST", path, body, answer),
		put: (path, body, answer) => call("PUT", path, body, answer),
		patch: (path, body, answer) => call("PATCH", path, body, answer),
		delete: (path, answer) => call("DELETE", path, undefined, answer),
	};
}

/** Of a line that broke while we talked; a server that is not there at all refuses. */
const LOST_LINE: ReadonlySet<string> = new Set(["ECONNRESET", "EPIPE", "ETIMEDOUT"]);

function asUnreachable(error: unknown): unknown {
	if (error instanceof RefusedError || error instanceof UnreachableError) return error;
	return error instanceof Error && "code" in error ? new UnreachableError("no-answer", `${error.code}`) : error;
}

function read<T extends z.ZodMiniType>(status: number, text: string, answer: T): z.output<T> {
	const value = parseJson(text);
	if (status >= 200 && status < 300) {
		const parsed = answer.safeParse(value);
		if (parsed.success) return parsed.data;
		throw new UnreachableError("not-ours", "The answer has another shape.");
	}
	const problem = errorAnswer.safeParse(value);
	if (!problem.success) throw new UnreachableError("not-ours", `HTTP ${status}`);
	throw new RefusedError(status, problem.data.error);
}

function parseJson(text: string): unknown {
	try {
		const value: unknown = JSON.parse(text);
		return value;
	} catch {
		return undefined;
	}
}

function once(
	{ url, token, isOwn }: FoundServer,
	{ method, path, body, quietMs }: { method: string; path: string; body: unknown; quietMs: number },
) {
	const content = body === undefined ? undefined : JSON.stringify(body);
	const headers = {
		authorization: `Bearer ${token}`,
		...(content === undefined ? {} : { "content-type": "application/json", "content-length": Buffer.byteLength(content) }),
	};
	const request = url.startsWith("https:") ? requestSecure : requestPlain;
	return new Promise<{ status: number; headers: IncomingMessage["headers"]; text: string }>((resolve, reject) => {
		const outgoing = request(url + path, { method, headers, agent: false, ...(isOwn ? { rejectUnauthorized: false } : {}) }, (answer) => {
			const chunks: Buffer[] = [];
			let bytes = 0;
			answer.on("data", (chunk: Buffer) => {
				bytes += chunk.length;
				if (bytes > MAX_ANSWER_BYTES) outgoing.destroy(new UnreachableError("not-ours", "The answer is too large."));
				else chunks.push(chunk);
			});
			answer.on("end", () => resolve({ status: answer.statusCode ?? 0, headers: answer.headers, text: Buffer.concat(chunks).toString() }));
			answer.on("error", reject);
		});
		outgoing.setTimeout(quietMs, () =>
			outgoing.destroy(Object.assign(new UnreachableError("no-answer", "ETIMEDOUT"), { code: "ETIMEDOUT" })),
		);
		outgoing.on("error", reject);
		outgoing.end(content);
	});
}
