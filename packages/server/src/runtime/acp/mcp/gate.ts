import type { IncomingMessage } from "node:http";

/** Why a request is not even looked at. */
export interface Refusal {
	status: number;
	message: string;
	headers?: Record<string, string>;
}

/** The reason to refuse a request by its head alone. A page in a browser that found this port gets no further than here. */
export function findRefusal({ method, url, headers }: IncomingMessage, at: { port: number; path: string }): Refusal | undefined {
	const own = [`127.0.0.1:${at.port}`, `localhost:${at.port}`];
	if (!own.includes(headers.host ?? "")) return { status: 403, message: "This server answers only by its own address." };
	if (headers.origin !== undefined && !own.some((host) => headers.origin === `http://${host}`)) {
		return { status: 403, message: "Pages have no business here." };
	}
	if (url !== at.path) return { status: 404, message: `There is only ${at.path} here.` };
	// There is nothing that we would say unasked, so there is no stream to get.
	if (method !== "POST") return { status: 405, message: "Only POST is understood.", headers: { allow: "POST" } };
	return undefined;
}
