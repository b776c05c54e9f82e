import { chmodSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { MAX_MCP_SERVERS, mcpServersBody } from "@rightseat/protocol/http/mcp-servers";
import { expect, onTestFinished, test } from "vitest";
import { createOwnMcpServers, MCP_SERVERS_FILE } from "./own-mcp-servers.ts";

function openHome() {
	const home = mkdtempSync(join(tmpdir(), "rightseat-mcp-servers-"));
	onTestFinished(() => rmSync(home, { recursive: true, force: true }));
	const hidden: string[] = [];
	const open = () => createOwnMcpServers({ home, hide: (secret) => hidden.push(secret) });
	return { home, file: join(home, MCP_SERVERS_FILE), hidden, open, servers: open() };
}
const parse = (mcpServers: unknown) => mcpServersBody.parse({ mcpServers }).mcpServers;

const NOTES = { command: "npx", args: ["notes-mcp"], env: { NOTES_KEY: "k-1234", MODE: "fast" } };
const TICKETS = { type: "http", url: "https://tickets.example/mcp?key=q-5678", headers: { Authorization: "Bearer h-9012" } };

test("[RP30] servers are kept in a private file with their secrets, which the redactor knows and nobody gets back", async () => {
	const { file, hidden, open, servers } = openHome();
	const shown = await servers.replace(parse({ notes: NOTES, tickets: TICKETS }));
	expect(shown).toEqual({
		notes: { command: "npx", args: ["notes-mcp"], env: { NOTES_KEY: null, MODE: null } },
		tickets: { type: "http", url: "https://tickets.example/mcp?key=hidden", headers: { Authorization: null } },
	});
	expect(servers.view()).toEqual(shown);
	expect(statSync(file).mode & 0o777).toBe(0o600);
	expect(new Set(hidden)).toEqual(new Set(["k-1234", "fast", "q-5678", "Bearer h-9012"]));
	const again = open();
	expect(again.all()).toEqual({ notes: NOTES, tickets: TICKETS });
	expect(again.view()).toEqual(shown);
});

test("[RP35] folders and plain addresses are not taken out of what is shown, unless they are called a secret", async () => {
	const { hidden, servers } = openHome();
	const places = { ROOT: "/home/ann/projects/shop", URL: "https://db.example:8080/shop", HERE: "./data/files" };
	const secrets = {
		API_KEY: "/Ab3dE/fGh1jk",
		DSN: "postgres://ann:pw@db/shop",
		LINK: "https://ann:pw@db.example/shop",
		Q: "https://x.example/?t=1",
	};
	const shown = await servers.replace(parse({ files: { command: "files", env: { ...places, ...secrets } } }));
	expect(new Set(hidden)).toEqual(new Set(Object.values(secrets)));
	expect(JSON.stringify(shown)).not.toContain("projects");
});

test("[RP31] a value that is not sent stays, and what was shown can be sent back as it is", async () => {
	const { servers } = openHome();
	await servers.replace(parse({ notes: NOTES, tickets: TICKETS }));
	await servers.replace(servers.view());
	expect(servers.all()).toEqual({ notes: NOTES, tickets: TICKETS });
	await servers.replace(
		parse({ notes: { command: "npx", args: ["notes-mcp@2"] }, tickets: { type: "http", url: "https://tickets.example/v2" } }),
	);
	expect(servers.all()).toEqual({
		notes: { ...NOTES, args: ["notes-mcp@2"] },
		tickets: { ...TICKETS, url: "https://tickets.example/v2" },
	});
	await servers.replace(parse({ notes: { command: "npx", env: { NOTES_KEY: null, MODE: "slow" } } }));
	expect(servers.all()).toEqual({ notes: { command: "npx", args: [], env: { NOTES_KEY: "k-1234", MODE: "slow" } } });
	await servers.replace(parse({ notes: { command: "npx", env: {} } }));
	expect(servers.all()).toEqual({ notes: { command: "npx", args: [], env: {} } });
});

test("[RP32] secrets never follow to another program or host", async () => {
	const { servers } = openHome();
	await servers.replace(parse({ notes: NOTES, tickets: TICKETS }));
	const missing = { code: "bad-request", params: expect.objectContaining({ reason: "mcp-value-missing" }) };
	await expect(servers.replace(parse({ notes: { command: "evil", env: { NOTES_KEY: null } } }))).rejects.toMatchObject(missing);
	const moved = { type: "http", url: "https://evil.example/mcp", headers: { Authorization: null } };
	await expect(servers.replace(parse({ tickets: moved }))).rejects.toMatchObject(missing);
	await expect(servers.replace(parse({ other: { command: "npx", env: { NOTES_KEY: null } } }))).rejects.toMatchObject(missing);
	expect(servers.all()).toEqual({ notes: NOTES, tickets: TICKETS });
	await servers.replace(parse({ notes: { command: "evil" }, tickets: { type: "http", url: "https://evil.example/mcp" } }));
	expect(JSON.stringify(servers.all())).not.toMatch(/k-1234|h-9012|q-5678/);
});

test("[RP33] a file that cannot be understood is left as it is, and a write that fails changes nothing", async () => {
	const { home, file, open } = openHome();
	for (const broken of ["{", '{"mcpServers":{"a":{"command":7}}}', "[]"]) {
		writeFileSync(file, broken);
		const servers = open();
		expect(servers.view()).toEqual({});
		await expect(servers.replace(parse({ notes: NOTES }))).rejects.toMatchObject({ code: "storage-read-only" });
		expect(readFileSync(file, "utf8")).toBe(broken);
	}
	rmSync(file);
	const servers = open();
	// A folder in the place of the file: the last step of the write fails.
	mkdirSync(join(file, "x"), { recursive: true });
	chmodSync(file, 0o700);
	await expect(servers.replace(parse({ notes: NOTES }))).rejects.toMatchObject({ code: "storage-read-only" });
	expect(servers.all()).toEqual({});
	expect(readdirSync(home)).toEqual([MCP_SERVERS_FILE]);
});

test("[RP34] what is no server is refused: names, addresses, headers and numbers are checked", () => {
	const accepted = (mcpServers: unknown) => mcpServersBody.safeParse({ mcpServers }).success;
	const bad = [
		...[
			{ "a b": NOTES },
			{ "": NOTES },
			{ a: {} },
			{ a: { command: "" } },
			{ a: { command: "x\0y" } },
			{ a: { ...NOTES, url: "https://x.example" } },
		],
		...[
			{ a: { ...NOTES, env: { "A-B": "x" } } },
			{ a: { ...TICKETS, url: "file:///etc/passwd" } },
			{ a: { ...TICKETS, url: "https://u:p@x.example" } },
		],
		...[
			{ a: { ...TICKETS, headers: { "X\n": "y" } } },
			{ a: { ...TICKETS, headers: { X: "y\r\nZ: 1" } } },
			{ a: { ...NOTES, type: "http" } },
		],
		Object.fromEntries(Array.from({ length: MAX_MCP_SERVERS + 1 }, (_, n) => [`s${n}`, NOTES])),
		{ a: { ...NOTES, args: Array.from({ length: 65 }, () => "x") } },
		{ a: { ...NOTES, env: Object.fromEntries(Array.from({ length: 65 }, (_, n) => [`V${n}`, "x"])) } },
	];
	expect(bad.filter(accepted)).toEqual([]);
	expect(
		accepted({ notes: NOTES, tickets: TICKETS, local: { type: "stdio", command: "./server" }, old: { ...TICKETS, type: "sse" } }),
	).toBe(true);
});
