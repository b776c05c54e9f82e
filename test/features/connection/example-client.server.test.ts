import { spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { createFaultProxy } from "../../support/fault-proxy.ts";
import { createWebBed } from "../../support/ws-harness.ts";

const CLIENT = join(import.meta.dirname, "../../../examples/client.mjs");

test("[AR111] the client in the documents logs in, sends, streams, answers a question and goes on after a lost connection", async () => {
	expect(readFileSync(CLIENT, "utf8").split("\n").length).toBeLessThanOrEqual(101);
	const bed = await createWebBed();
	const proxy = await createFaultProxy({ port: bed.port });
	await bed.conversations.create({ title: "An older one" });
	const client = spawn(process.execPath, [CLIENT, "Fix the test"], {
		env: { PATH: process.env.PATH, RIGHTSEAT_URL: `http://127.0.0.1:${proxy.port}`, RIGHTSEAT_TOKEN: bed.token },
	});
	let [answer, told] = ["", ""];
	client.stdout.on("data", (data) => {
		answer += String(data);
	});
	client.stderr.on("data", (data) => {
		told += String(data);
	});
	const exited = new Promise<number | null>((resolve) => client.on("exit", resolve));
	try {
		const turn = await bed.runtime.nextTurn();
		turn.text("One, ");
		await expect.poll(() => answer, { timeout: 20_000 }).toBe("One, ");
		proxy.cut();
		turn.text("two, ");
		await expect.poll(() => answer, { timeout: 20_000 }).toBe("One, two, ");
		const chosen = await turn.options.ask({ question: "Shall I?", choices: ["Yes", "No"], allowFreeform: false }, turn.signal);
		turn.text(chosen.answer);
		turn.end();
		expect([await exited, answer]).toEqual([0, "One, two, Yes\n"]);
		expect(told).toContain("An older one");
		expect(told).toContain("Rightseat 0.0.0-test, protocol 1");
		expect(told).toContain("trying again");
	} finally {
		client.kill("SIGKILL");
		await proxy.close();
		await bed.close();
	}
});
