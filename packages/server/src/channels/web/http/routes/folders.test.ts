import fastify from "fastify";
import { expect, test } from "vitest";
import type { FolderTrust } from "../../../../services/folder-setup/folder-trust.ts";
import { registerFolderRoutes } from "./folders.ts";

test("[FS20] a set-up is answered as it is, a word about trust with 204 and no body; what is no such word changes nothing", async () => {
	const said: unknown[] = [];
	const folderTrust: FolderTrust = {
		setup: async (path) => ({ path, trusted: false, found: [{ kind: "lsp", name: "ts", source: ".github/lsp.json", runs: "tsls" }] }),
		list: () => [{ path: "/a", trusted: true }],
		set: async (path, word) => void said.push({ path, ...word }),
	};
	const app = fastify();
	registerFolderRoutes(app, { folderTrust, sourceOf: () => "phone" });
	const setup = await app.inject({ method: "GET", url: "/api/folders/setup?path=/a%20b" });
	expect([setup.statusCode, setup.json()]).toEqual([200, await folderTrust.setup("/a b")]);
	const put = (payload: object) => app.inject({ method: "PUT", url: "/api/folders/trust", payload });
	const done = await put({ path: "/a", trusted: true });
	expect([done.statusCode, done.body]).toEqual([204, ""]);
	const bad = [
		{},
		{ path: "/a" },
		{ trusted: true },
		{ path: "", trusted: true },
		{ path: "/a", trusted: "false" },
		{ path: ["/a"], trusted: true },
	];
	for (const body of [...bad, { path: "x".repeat(4_097), trusted: true }]) expect((await put(body)).statusCode).not.toBe(204);
	expect((await app.inject({ method: "GET", url: "/api/folders/setup" })).statusCode).not.toBe(200);
	expect(said).toEqual([{ path: "/a", trusted: true, source: "phone" }]);
	expect((await app.inject({ method: "GET", url: "/api/folders/trust" })).json()).toEqual({ folders: [{ path: "/a", trusted: true }] });
	await app.close();
});
