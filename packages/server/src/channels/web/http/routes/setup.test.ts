import fastify from "fastify";
import { expect, test } from "vitest";
import { createRedactor } from "../../../../core/kernel/redact.ts";
import { registerSetupRoutes } from "./setup.ts";

test("[MS4] a person's servers are told, changed and tried; what a server says in vain is told without our secrets", async () => {
	const said: unknown[] = [];
	const view = { mcpServers: { notes: { command: "npx", args: [] } }, sources: { notes: "settings" as const } };
	const app = fastify();
	registerSetupRoutes(app, {
		setup: {
			conversations: {
				get: async () => ({ trusted: false, mcp: [], skills: [], agents: [], instructions: [], open: false }),
				commands: async () => [{ name: "greet", description: "Greets.", kind: "skill" }],
				goOn: (id) => void said.push(["go on", id]),
				login: async (id, name) => ({ authorizationUrl: `https://login.example/${id}/${name}` }),
				finishLogin: async (_, name, address) => {
					said.push([name, address]);
					return "connected";
				},
			},
			personServers: {
				view: () => view,
				replace: async (servers) => {
					said.push(servers);
					return view;
				},
				find: () => ({ command: "npx", args: [], env: {} }),
			},
			tryServer: async (_, cwd) => ({ state: "failed", tools: [], error: `s3cret-value is wrong in ${cwd}` }),
		},
		workdir: () => "/work",
		redactor: createRedactor(["s3cret-value"]),
		audit: { record: (entry) => void said.push(entry) },
		sourceOf: () => "phone",
	});
	const call = async (method: "GET" | "PUT" | "POST", url: string, payload?: object) => {
		const { statusCode, body } = await app.inject({ method, url, ...(payload === undefined ? {} : { payload }) });
		return [statusCode, body === "" ? undefined : JSON.parse(body)];
	};
	expect(await call("GET", "/api/mcp")).toEqual([200, view]);
	expect(await call("PUT", "/api/mcp", { mcpServers: { notes: { command: "npx" } } })).toEqual([200, view]);
	const [, tried] = await call("POST", "/api/mcp/test", { name: "notes" });
	expect(tried).toMatchObject({ state: "failed", error: expect.stringMatching(/^(?!.*s3cret-value).* is wrong in \/work$/) });
	expect(await call("GET", "/api/conversations/c1/commands")).toEqual([
		200,
		{ commands: [{ name: "greet", description: "Greets.", kind: "skill" }] },
	]);
	expect(await call("POST", "/api/conversations/c1/mcp/go-on")).toEqual([204, undefined]);
	expect(await call("POST", "/api/conversations/c1/mcp/notes/login")).toEqual([
		200,
		{ authorizationUrl: "https://login.example/c1/notes" },
	]);
	expect(await call("PUT", "/api/conversations/c1/mcp/notes/login", { url: "http://127.0.0.1:1/?code=c" })).toEqual([
		200,
		{ state: "connected" },
	]);
	for (const bad of [{}, { mcpServers: [] }, { mcpServers: { "a b": { command: "x" } } }, { mcpServers: { a: {} } }]) {
		expect((await call("PUT", "/api/mcp", bad))[0], JSON.stringify(bad)).not.toBe(200);
	}
	expect(said).toEqual([
		{ notes: { command: "npx", args: [] } },
		{ kind: "settings", source: "phone", detail: "MCP servers: notes" },
		["go on", "c1"],
		["notes", "http://127.0.0.1:1/?code=c"],
		{ kind: "settings", source: "phone", detail: "signed in to the MCP server notes" },
	]);
	await app.close();
});
