import { errorAnswer } from "../http/error.ts";
import { type HttpRoute, isFile } from "../http/route.ts";
import { HTTP_ROUTES } from "../http/routes.ts";
import { type JsonSchema, toJsonSchema } from "./json-schema.ts";

/** The HTTP routes as an OpenAPI 3.1 document, made of the schemas that check the bodies. */
export function openApi(server: { version: string }): JsonSchema {
	const paths: Record<string, Record<string, unknown>> = {};
	for (const route of HTTP_ROUTES) {
		const path = openApiPath(route.path);
		paths[path] = { ...paths[path], [route.method.toLowerCase()]: operation(route) };
	}
	return {
		openapi: "3.1.0",
		info: { title: "Rightseat", version: server.version },
		servers: [{ url: "/" }],
		security: [{ token: [] }, { session: [] }],
		paths,
		components: {
			schemas: { Error: toJsonSchema(errorAnswer) },
			securitySchemes: {
				token: { type: "http", scheme: "bearer" },
				session: { type: "apiKey", in: "cookie", name: "rightseat_PORT" },
			},
		},
	};
}

/** A path of ours in the spelling of OpenAPI: `:id` becomes `{id}`. */
export const openApiPath = (path: string): string => path.replace(/:(\w+)/g, "{$1}");

function operation(route: HttpRoute): JsonSchema {
	const parameters = [...pathParameters(route.path), ...queryParameters(route)];
	return {
		summary: route.about,
		...(route.isOpen === true ? { security: [] } : {}),
		...(parameters.length === 0 ? {} : { parameters }),
		...(route.body === undefined ? {} : { requestBody: { content: contentOf(route.body) } }),
		responses: { ...successes(route), ...refusals(route) },
	};
}

const pathParameters = (path: string): JsonSchema[] =>
	[...path.matchAll(/:(\w+)/g)].map(([, name]) => ({ name, in: "path", required: true, schema: { type: "string" } }));

function queryParameters({ query }: HttpRoute): JsonSchema[] {
	if (query === undefined) return [];
	const { properties, required } = toJsonSchema(query);
	const needed = Array.isArray(required) ? required : [];
	return Object.entries(Object(properties)).map(([name, schema]) => ({ name, in: "query", required: needed.includes(name), schema }));
}

function successes({ answers }: HttpRoute): JsonSchema {
	return Object.fromEntries(
		answers.map(({ status, body }) => [
			status,
			{ description: body === undefined ? "Done." : "The answer.", ...(body === undefined ? {} : { content: contentOf(body) }) },
		]),
	);
}

function refusals({ refusals = [], isOpen }: HttpRoute): JsonSchema {
	const error = { content: { "application/json": { schema: { $ref: "#/components/schemas/Error" } } } };
	const retryAfter = { "Retry-After": { description: "Seconds to wait.", schema: { type: "integer" } } };
	return {
		"400": { description: "Something in the request is wrong.", ...error },
		...(isOpen === true ? {} : { "401": { description: "Log in.", ...error } }),
		"403": { description: "Not from there, or not there.", ...error },
		...Object.fromEntries(refusals.map((status) => [status, { description: WORDS[status] ?? "Refused.", ...error }])),
		"429": { description: "Too much.", headers: retryAfter, ...error },
		default: { description: "Something else is wrong; the message says what to do.", ...error },
	};
}

const WORDS: Record<number, string> = { 404: "No such thing.", 409: "Not now, or not here.", 413: "Too large." };

const contentOf = (body: NonNullable<HttpRoute["body"]>): JsonSchema =>
	isFile(body) ? { [body.file]: {} } : { "application/json": { schema: toJsonSchema(body) } };
