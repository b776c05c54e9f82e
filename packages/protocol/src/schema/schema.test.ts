import { expect, test } from "vitest";
import { CLIENT_FRAME_TYPES } from "../frames/client.ts";
import { HTTP_ROUTES } from "../http/routes.ts";
import { protocolSchema } from "./json-schema.ts";
import { openApi } from "./openapi.ts";

test("[HT150] the schema has every frame and every route, and allows fields that it does not name", () => {
	const schema = protocolSchema();
	expect(Object.keys(Object(schema.clientFrames)).sort()).toEqual([...CLIENT_FRAME_TYPES].sort());
	expect(Object.keys(Object(schema.serverFrames))).toEqual(
		expect.arrayContaining(["hello", "copilot:delta", "copilot:ack", "copilot:stream-status"]),
	);
	expect(Object.keys(Object(schema.http))).toEqual(HTTP_ROUTES.map(({ method, path }) => `${method} ${path}`));
	expect(Reflect.get(Object(schema.http), "POST /api/conversations/:id/messages")).toMatchObject({
		body: { type: "object", properties: { prompt: { type: "string" } }, required: ["prompt"] },
		answers: { 202: { properties: { delivery: { enum: ["started", "queued", "steered", "dropped", "outbox"] } } } },
	});
	expect(JSON.stringify(schema)).not.toContain('"additionalProperties":false');
});

test("[HT151] the OpenAPI document has each route once, with its parameters, bodies and refusals", () => {
	const document = openApi({ version: "1.2.3" });
	const operations = Object.entries(Object(document.paths)).flatMap(([path, methods]) =>
		Object.keys(Object(methods)).map((method) => `${method} ${path}`),
	);
	expect(operations).toHaveLength(HTTP_ROUTES.length);
	expect(document).toMatchObject({
		openapi: "3.1.0",
		info: { version: "1.2.3" },
		paths: {
			"/healthz": { get: { security: [] } },
			"/api/conversations/{id}/messages": {
				get: {
					parameters: [
						{ name: "id", in: "path", required: true },
						{ name: "before", in: "query", required: false },
						{ name: "limit", in: "query", required: false, schema: { type: "string" } },
					],
					responses: { 200: { content: { "application/json": {} } }, 404: {}, 429: { headers: { "Retry-After": {} } } },
				},
			},
			"/api/conversations/{id}/export": { get: { responses: { 200: { content: { "text/markdown": {} } } } } },
		},
	});
});
