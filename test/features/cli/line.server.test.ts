import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, test } from "vitest";
import { WebSocketServer } from "ws";
import { ask } from "../../../packages/cli/src/commands/ask.ts";
import { runCli, startCli } from "../../support/cli.ts";
import { useCliBed } from "../../support/cli-bed.ts";
import { createFaultProxy } from "../../support/fault-proxy.ts";
import { createGate, pause, text, waitFor } from "../../support/scripted-model-steps.ts";
import { startServer } from "../../support/server.ts";

const bed = useCliBed();

const through = (url: string) => ({ args: ["--url", url], env: { RIGHTSEAT_TOKEN: bed.server.token } });

test("[CL60] over a line that is cut again and again every word is there once, and the prompt runs once", async () => {
	const proxy = await createFaultProxy({ port: bed.server.port });
	const { args, env } = through(proxy.url);
	const words = Array.from({ length: 60 }, (_, index) => `word${index} `);
	const gates = [createGate(), createGate(), createGate()];
	const part = (n: number) => words.slice(n * 20, n * 20 + 20).flatMap((word) => [text(word), pause(5)]);
	bed.model.reply(...part(0), waitFor(gates[0] ?? createGate()), ...part(1), waitFor(gates[1] ?? createGate()), ...part(2));
	const asked = bed.model.requests.length;
	const run = startCli(["ask", "Count", ...args], bed.options({ env }));
	await run.until("stdout", /word19/);
	proxy.cut();
	gates[0]?.open();
	await run.until("stdout", /word39/);
	proxy.freeze();
	proxy.cut();
	proxy.resume();
	gates[1]?.open();
	expect([await run.exited, run.stdout()]).toEqual([0, `${words.join("")}\n`]);
	expect(run.stderr()).toContain("Connection lost; trying again.\nConnected again.\n");
	expect(bed.model.requests.length - asked).toBe(1);
	await proxy.close();
});

test("[CL60] a line that delays everything delays the answer and changes nothing of it", async () => {
	const proxy = await createFaultProxy({ port: bed.server.port });
	proxy.delay(300);
	const { args, env } = through(proxy.url);
	expect(await runCli(["ask", "Slow", ...args], bed.options({ env }))).toMatchObject({ exit: 0, stdout: "You said Slow\n" });
	await proxy.close();
});

test("[CL61] a server that is killed in the turn and comes back: what was said is there, exit 3, and nothing ran twice", async () => {
	const gate = createGate();
	bed.model.reply(text("Half of it"), waitFor(gate));
	const own = await startServer({ env: { RIGHTSEAT_PROVIDER_URL: bed.model.url } });
	const asked = bed.model.requests.length;
	const run = startCli(["ask", "Die"], { home: own.home });
	await run.until("stdout", /Half of it/);
	const again = await own.restart();
	expect([await run.exited, run.stdout()]).toEqual([3, "Half of it\n"]);
	expect(run.stderr()).toContain("The turn was interrupted");
	expect(bed.model.requests.length - asked).toBe(1);
	gate.open();
	await again.close();
});

test.each([
	[
		"an older server",
		'{"type":"hello","data":{"protocol":0,"server":"0.0.1","host":"x"}}',
		/is older than this command\. Update the server\./,
	],
	[
		"a newer server",
		'{"type":"hello","data":{"protocol":99,"server":"9.0.0","host":"x"}}',
		/is newer than this command\. Update Rightseat here\./,
	],
	["a server that says no hello", '{"type":"pong"}', /is not Rightseat, or a version too old/],
])("[CL5] %s: one line, exit 2", async (_, hello, expected) => {
	const conversation = { ...(await bed.conversations())[0], id: "c1" };
	const http = createServer((_request, response) => {
		response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify({ conversation }));
	});
	const sockets = new WebSocketServer({ server: http });
	sockets.on("connection", (socket) => socket.send(hello));
	http.listen(0, "127.0.0.1");
	await once(http, "listening");
	const { port } = http.address() as AddressInfo;
	const run = await runCli(["ask", "Hi", "-c", "c1", "--url", `http://127.0.0.1:${port}`], bed.options({ env: { RIGHTSEAT_TOKEN: "t" } }));
	expect(run).toMatchObject({ exit: 2, stdout: "", stderr: expect.stringMatching(expected) });
	for (const client of sockets.clients) client.terminate();
	http.close();
});

test("[CL62] a hundred scripts at once all get their own answer, and the server answers others meanwhile", async () => {
	const before = (await bed.conversations()).length;
	const runs = Array.from({ length: 100 }, (_, index) => bed.runHere(ask, [`number ${index}`]));
	const processes = Array.from({ length: 4 }, (_, index) => runCli(["ask", `process ${index}`], bed.options()));
	const startedAt = performance.now();
	expect((await fetch(`${bed.server.url}/healthz`)).status).toBe(200);
	expect(performance.now() - startedAt).toBeLessThan(10_000);
	expect((await Promise.all(runs)).map(({ exit, stdout }) => [exit, stdout])).toEqual(
		runs.map((_, index) => [0, `You said number ${index}\n`]),
	);
	expect((await Promise.all(processes)).map(({ exit, stdout }) => [exit, stdout])).toEqual(
		processes.map((_, index) => [0, `You said process ${index}\n`]),
	);
	expect((await bed.conversations()).length - before).toBe(104);
	const status = await (await bed.server.api("/api/status")).json();
	expect(status).toMatchObject({ runtime: { state: "ready" } });
});
