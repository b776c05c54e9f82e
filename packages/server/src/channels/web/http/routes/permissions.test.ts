import fastify from "fastify";
import { expect, test } from "vitest";
import type { PermissionRule } from "../../../../core/ports/permission-rules.ts";
import { registerPermissionRoutes } from "./permissions.ts";

test("[RP50] what is allowed for good is listed by folder, in words, and taken back by its id", async () => {
	const rule = (id: string, folder: string, words: string[], exact = true): PermissionRule => ({
		...{ id, folder, words, exact, writes: false, createdAt: 0 },
	});
	const rules = [
		rule("1", "/shop", ["git", "status"], false),
		rule("2", "/app", ["rm", "a file", "it's", "*"]),
		rule("3", "/shop", ["node", "x.js"]),
	];
	const said: unknown[] = [];
	const app = fastify();
	const remembered = {
		list: () => rules,
		revoke(id: string, source: string) {
			said.push([id, source]);
			return rules.some((each) => each.id === id);
		},
	};
	registerPermissionRoutes(app, { remembered, sourceOf: () => "phone" });
	const kept = { writes: false, createdAt: "1970-01-01T00:00:00.000Z" };
	expect((await app.inject("/api/permissions")).json()).toEqual({
		folders: [
			{ path: "/app", rules: [{ id: "2", text: "rm 'a file' 'it'\\''s' '*'", exact: true, ...kept }] },
			{
				path: "/shop",
				rules: [
					{ id: "1", text: "git status", exact: false, ...kept },
					{ id: "3", text: "node x.js", exact: true, ...kept },
				],
			},
		],
	});
	const drop = async (id: string) => (await app.inject({ method: "DELETE", url: `/api/permissions/${id}` })).statusCode;
	expect([await drop("1"), await drop("gone")]).toEqual([204, 500]);
	expect(said).toEqual([
		["1", "phone"],
		["gone", "phone"],
	]);
	await app.close();
});
