import { isUtf8 } from "node:buffer";
import type { FleetHttp } from "@rightseat/protocol/fleet/requests";
import type { FastifyInstance } from "fastify";
import type { HttpAnswer } from "../../../core/fleet/remote-calls.ts";
import type { Actor } from "../../../core/kernel/actor.ts";
import type { FleetCaller } from "./fleet-caller.ts";

/** Of an answer these travel; the rest is up to the host that asked. */
const HEADERS = ["content-type", "content-disposition", "x-file-size"] as const;

/** Carries out requests of other hosts by the same routes that the page uses; who may ask for what was decided before. */
export function serveFleet(app: Pick<FastifyInstance, "inject">, caller: FleetCaller) {
	return async (request: FleetHttp, who: Actor): Promise<HttpAnswer> => {
		const { method, path, query = {}, body } = request;
		// Without a body a route must not be given one.
		const payload = body === undefined ? {} : { payload: JSON.stringify(body), headers: { "content-type": "application/json" } };
		// Awaited inside: what `inject` gives does nothing before somebody waits for it.
		const response = await caller.run(who, async () => await app.inject({ method, path, query, ...payload }));
		const headers = HEADERS.flatMap((name) => {
			const value = response.headers[name];
			return value === undefined ? [] : [[name, String(value)] as const];
		});
		// By what it is: a diff is called text and may have any bytes.
		const isBase64 = !isUtf8(response.rawPayload);
		const text = isBase64 ? response.rawPayload.toString("base64") : response.rawPayload.toString("utf8");
		return { status: response.statusCode, headers: Object.fromEntries(headers), body: text, isBase64 };
	};
}
