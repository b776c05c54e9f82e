import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { mcpServersBody, mcpServersInFile } from "@rightseat/protocol/http/mcp-servers";
import { expect, onTestFinished, test } from "vitest";
import { createPersonServers } from "./person-servers.ts";

function openServers() {
	const home = mkdtempSync(join(tmpdir(), "rightseat-person-"));
	onTestFinished(() => rmSync(home, { recursive: true, force: true }));
	const hidden: string[] = [];
	const hide = (secret: string) => void hidden.push(secret);
	const configured = mcpServersInFile.parse({ fixed: { command: "npx", args: ["fixed"], env: { KEY: "k-9" } } });
	return { hidden, servers: createPersonServers({ home, configured, hide }) };
}
const parse = (mcpServers: unknown) => mcpServersBody.parse({ mcpServers }).mcpServers;

test("[MS1] servers of config.json stand beside those of the page, without their secrets, and stay whatever the page sends", async () => {
	const { hidden, servers } = openServers();
	const view = await servers.replace(parse({ notes: { command: "notes", env: { A: "a-1" } } }));
	expect(view).toEqual({
		mcpServers: {
			fixed: { command: "npx", args: ["fixed"], env: { KEY: null } },
			notes: { command: "notes", args: [], env: { A: null } },
		},
		sources: { fixed: "config.json", notes: "settings" },
	});
	expect(hidden).toEqual(expect.arrayContaining(["k-9", "a-1"]));
	// What was shown can be sent back as it is.
	expect(await servers.replace(parse(view.mcpServers))).toEqual(view);
	const changed = { ...view.mcpServers, fixed: { command: "evil" } };
	await expect(servers.replace(parse(changed))).rejects.toMatchObject({ params: { reason: "mcp-in-config", server: "fixed" } });
	expect(servers.view()).toEqual(view);
	expect(servers.all().map(({ name, source }) => [name, source])).toEqual([
		["fixed", "config.json"],
		["notes", "settings"],
	]);
});

test("[MS2] a server to try is one that is kept, or a new one with kept values that go to no other program", () => {
	const { hidden, servers } = openServers();
	expect(servers.find({ name: "fixed" })).toMatchObject({ env: { KEY: "k-9" } });
	const again = parse({ fixed: { command: "npx", args: ["other"], env: { KEY: null, MORE: "m-1" } } });
	expect(servers.find({ name: "fixed", server: again.fixed })).toMatchObject({ args: ["other"], env: { KEY: "k-9", MORE: "m-1" } });
	expect(hidden).toContain("m-1");
	const evil = parse({ fixed: { command: "evil", env: { KEY: null } } });
	expect(() => servers.find({ name: "fixed", server: evil.fixed })).toThrow(/not known here/);
	expect(() => servers.find({ name: "nobody" })).toThrow(/no MCP server/);
	expect(() => servers.find({})).toThrow(/no MCP server/);
});
