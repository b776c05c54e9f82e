import { once } from "node:events";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { runToEnd, startServer, type TestServer } from "../../support/server.ts";

let folder: string;
let server: TestServer | undefined;
beforeEach(() => {
	folder = mkdtempSync(join(tmpdir(), "rightseat-app-"));
});
afterEach(async () => {
	await server?.close();
	server = undefined;
	rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
});

const run = (args: string[], env: NodeJS.ProcessEnv = {}, home = join(folder, "home")) => runToEnd({ args, env, home, workdir: folder });
const lines = (text: string) => text.trim().split("\n");

test("[CF19] one line for scripts, a login link for people, and the demo pilot named as a demo", async () => {
	server = await startServer();
	const output = server.output();
	expect(output.match(/^Rightseat is ready on http:\/\/127\.0\.0\.1:\d+$/gm)).toHaveLength(1);
	expect(server.loginUrl).toMatch(new RegExp(`^http://rightseat\\.localhost:${server.port}/#code=[\\w-]{16,}$`));
	expect(output).toContain(`${server.url}/${new URL(server.loginUrl).hash}\n`);
	expect(output).toMatch(/Agent +demo pilot: a scripted demo, no real model answers/);
	expect(output).toContain("GITHUB_TOKEN");
	expect((await fetch(`${server.url}/healthz`)).status).toBe(200);
});

test("[SE5] the login link works once", async () => {
	server = await startServer();
	const { url, loginUrl } = server;
	const login = () =>
		fetch(`${url}/api/login`, {
			method: "POST",
			headers: { "content-type": "application/json", origin: url },
			body: JSON.stringify({ code: loginUrl.split("#code=")[1] }),
		});
	expect([(await login()).status, (await login()).status]).toEqual([204, 401]);
});

test("[CF15] SIGTERM and SIGINT end the whole program with exit code 0, and a restart finds everything", async () => {
	server = await startServer();
	const created = await server.api("/api/conversations", { method: "POST", json: { title: "Kept" } });
	expect(created.status).toBe(201);
	const token = server.token;
	const startedAt = performance.now();
	expect(await server.kill("SIGTERM")).toBe(0);
	expect(performance.now() - startedAt).toBeLessThan(15_000);
	server = await server.restart();
	expect(server.token).toBe(token);
	expect(JSON.stringify(await (await server.api("/api/conversations")).json())).toContain("Kept");
	expect(await server.kill("SIGINT")).toBe(0);
	server = await server.restart();
});

test("[CF10] what is kept is private: home 0700, token, database and log 0600", async () => {
	server = await startServer({ home: join(folder, "home") });
	const mode = (path: string) => (statSync(join(folder, "home", path)).mode & 0o777).toString(8);
	expect([".", "token", "rightseat.db", "logs/rightseat.log"].map(mode)).toEqual(["700", "600", "600", "600"]);
});

test("[CF9] neither the shell nor the log ever sees a secret", async () => {
	const secret = "ghx-not-a-real-secret-value";
	server = await startServer({ env: { RIGHTSEAT_PROVIDER_URL: "http://127.0.0.1:9/v1", RIGHTSEAT_PROVIDER_KEY: secret } });
	const response = await server.api("/api/conversations", { method: "POST", json: { cwd: server.workdir } });
	const body: { conversation: { id: string } } = await response.json();
	const client = await server.ws();
	client.send({ type: "bash:exec", data: { command: "env; tr '\\0' '\\n' < /proc/$PPID/environ", conversationId: body.conversation.id } });
	await client.waitFor("bash:done");
	expect(JSON.stringify(client.frames)).not.toContain(secret);
	expect(JSON.stringify(client.frames)).toContain("PATH=");
	await client.close();
	expect(server.log() + server.output()).not.toContain(secret);
});

test.each([
	[["--prot", "1"], {}, "--prot"],
	[[], { PORT: "http" }, "PORT"],
	[["--host", "0.0.0.0"], {}, "--host"],
	[["dance"], {}, "dance"],
])("[CF5] %j %j: one line that names it, exit 2", async (args, env, named) => {
	const { exit, output } = await run(args, env);
	expect(exit).toBe(2);
	expect(lines(output)).toHaveLength(1);
	expect(output).toContain(named);
});

test("[CF6] a broken config.json: one line, exit 2", async () => {
	mkdirSync(join(folder, "home"));
	writeFileSync(join(folder, "home/config.json"), '{"port": 1,}');
	const { exit, output } = await run([]);
	expect(exit).toBe(2);
	expect(lines(output)).toEqual([expect.stringMatching(/config\.json is not valid JSON/)]);
});

test("[CF20] a port in use: one line that says what to do, exit 1, and the home is free again", async () => {
	const other = createServer().listen(0, "127.0.0.1");
	await once(other, "listening");
	const address = other.address();
	const port = typeof address === "object" && address !== null ? String(address.port) : "";
	try {
		const { exit, output } = await run([], { PORT: port });
		expect({ exit, lines: lines(output) }).toEqual({
			exit: 1,
			lines: [`Port ${port} is in use by another program. Stop it, or choose another port with --port.`],
		});
	} finally {
		other.close();
	}
	server = await startServer({ home: join(folder, "home") });
});

test("[RT38] a token that GitHub does not accept ends the start: a fatal line, and not exit 0", async () => {
	const { exit, output } = await run([], { GITHUB_TOKEN: "ghp_notARealToken1234567890" });
	expect(exit).toBe(1);
	expect(lines(output)).toEqual([expect.stringMatching(/^fatal: .*GITHUB_TOKEN/)]);
	expect(output).not.toContain("ghp_notARealToken");
	expect(readFileSync(join(folder, "home/logs/rightseat.log"), "utf8")).toContain('"level":60');
});

test("[CF20] a home that cannot be written: one line, exit 2", async () => {
	writeFileSync(join(folder, "file"), "");
	const { exit, output } = await run([], {}, join(folder, "file", "home"));
	expect({ exit, count: lines(output).length }).toEqual({ exit: 2, count: 1 });
	expect(output).toMatch(/^RIGHTSEAT_HOME: cannot write to/);
});

test("[CF11] a home in use: the second start is told which process has it, exit 1, and the first goes on", async () => {
	server = await startServer({ home: join(folder, "home") });
	const { exit, output } = await run([]);
	expect({ exit, output: output.trim() }).toEqual({
		exit: 1,
		output: `Rightseat is already running with this home directory (process ${server.pid}). Stop it, or choose another one with --home.`,
	});
	expect((await fetch(`${server.url}/healthz`)).status).toBe(200);
});

test("[CF227] killed without warning, it starts again on the same home and port", async () => {
	server = await startServer();
	const { port } = server;
	expect(await server.kill("SIGKILL")).toBe("SIGKILL");
	server = await server.restart();
	expect(server.port).toBe(port);
});

test("[CF18] the doctor runs as a command, exit 0 when nothing is in the way and 1 when something is", async () => {
	const healthy = await run(["doctor"]);
	expect({ exit: healthy.exit, last: lines(healthy.output).at(-1) }).toEqual({ exit: 0, last: "Nothing is in the way." });
	const sick = await run(["doctor"], { RIGHTSEAT_MAX_TURNS: "none" });
	expect({ exit: sick.exit, last: lines(sick.output).at(-1) }).toEqual({ exit: 1, last: "1 thing is in the way." });
});

test("[CF4] help and version print and exit 0", async () => {
	const { version }: { version: string } = JSON.parse(
		readFileSync(new URL("../../../packages/server/package.json", import.meta.url), "utf8"),
	);
	expect(await run(["--version"])).toEqual({ exit: 0, output: `${version}\n` });
	const help = await run(["help"]);
	expect(help.exit).toBe(0);
	expect(help.output).toContain("RIGHTSEAT_HOME");
});
