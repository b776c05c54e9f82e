import * as z from "zod/mini";
import { eventFrameSchema } from "../events/event.ts";
import { clientFrameSchema } from "../frames/client.ts";
import { replyFrameSchema } from "../frames/server.ts";
import { type HttpRoute, isFile } from "../http/route.ts";
import { HTTP_ROUTES } from "../http/routes.ts";
import { PROTOCOL_VERSION } from "../version.ts";

/** A JSON Schema, as plain data. */
export type JsonSchema = Record<string, unknown>;

/** As a writer may send it: fields that are not named are allowed, because a reader ignores them. */
export function toJsonSchema(schema: z.core.$ZodType): JsonSchema {
	const { $schema: _, ...rest } = z.toJSONSchema(schema, { io: "input" });
	return rest;
}

/** Every frame by its type, and every body and query by its route. */
export function protocolSchema(): JsonSchema {
	return {
		$schema: "https://json-schema.org/draft/2020-12/schema",
		title: "The protocol of Rightseat",
		protocol: PROTOCOL_VERSION,
		clientFrames: byType(clientFrameSchema.def.options),
		serverFrames: { ...byType(eventFrameSchema.def.options), ...byType(replyFrameSchema.def.options) },
		http: Object.fromEntries(HTTP_ROUTES.map((route) => [`${route.method} ${route.path}`, ofRoute(route)])),
	};
}

type FrameSchema = z.core.$ZodType & { shape: { type: { def: { values: readonly unknown[] } } } };
const byType = (options: readonly FrameSchema[]) =>
	Object.fromEntries(options.map((option) => [String(option.shape.type.def.values[0]), toJsonSchema(option)]));

function ofRoute({ query, body, answers }: HttpRoute): JsonSchema {
	return {
		...(query === undefined ? {} : { query: toJsonSchema(query) }),
		...(body === undefined ? {} : { body: bodyOf(body) }),
		answers: Object.fromEntries(answers.map((answer) => [answer.status, answer.body === undefined ? null : bodyOf(answer.body)])),
	};
}

const bodyOf = (body: NonNullable<HttpRoute["body"]>): JsonSchema => (isFile(body) ? { contentMediaType: body.file } : toJsonSchema(body));
