import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { startDemoModel } from "../../../packages/server/src/runtime/demo/start-demo-model.ts";
import { bashTool, lastEvent, ofKind, runTurn, shownText, startRuntime } from "./runtime-harness.ts";

let host: ReturnType<typeof startRuntime>;
let sessions = 0;
beforeAll(() => {
	host = startRuntime();
	writeFileSync(join(host.home, "package.json"), "{}");
});
afterAll(() => host.close());

const open = (answer = "nobody answered") =>
	host.open({
		sessionId: `demo-${++sessions}`,
		model: "demo-pilot",
		tools: [bashTool(host.home)],
		ask: async (question) => ({ answer, wasFreeform: !question.choices?.includes(answer) }),
	});

test("[DM1] with neither token nor provider the demo pilot is the one model, named as a demo", async () => {
	expect(host.runtime.health().provider).toBe("demo");
	expect(await host.runtime.listModels()).toEqual({
		state: "listed",
		models: [{ id: "demo-pilot", name: "Demo pilot (no real model)", demo: true }],
		default: "demo-pilot",
	});
});

test("[TI5] the demo pilot is never asked aside", async () => {
	const session = await open();
	expect(await session.askAside?.("Name this conversation.")).toBeUndefined();
});

test("[DM2] it explains what Rightseat is, reasons aloud, streams at a readable pace, reports usage and says that it is a demo", async () => {
	const startedAt = performance.now();
	const events = await runTurn(await open(), "Hello, what is this?");
	expect(shownText(events)).toMatch(/^\*Demo pilot: a script answers here, no real model\.\*\n\n\*\*Rightseat\*\* is/);
	expect(ofKind(events, "reasoning-delta").length).toBeGreaterThan(3);
	expect(ofKind(events, "text-delta").length).toBeGreaterThan(50);
	expect(performance.now() - startedAt).toBeGreaterThan(1_000);
	expect(ofKind(events, "usage").at(-1)?.outputTokens).toBeGreaterThan(50);
	expect(lastEvent(events)).toEqual({ kind: "turn-end", outcome: "completed" });
});

test("[DM3] it lists the working directory with Bash and reacts to what it finds", async () => {
	const events = await runTurn(await open(), "List the files here, please");
	expect(ofKind(events, "tool-start")).toMatchObject([{ toolName: "Bash" }]);
	expect(shownText(events)).toContain("| `package.json` | file |");
	expect(shownText(events)).toContain("this is a Node project");
});

test("[DM4] it asks a question with choices and does what was chosen", async () => {
	const events = await runTurn(await open("The files of this directory"), "Ask me a question");
	expect(ofKind(events, "tool-start").map(({ toolName }) => toolName)).toEqual(["ask_user", "Bash"]);
	expect(shownText(events)).toContain("You answered: **The files of this directory**");
	expect(shownText(events)).toContain("`package.json`");
});

test("[DM5] it writes a file, shows it, and never replaces one", async () => {
	const session = await open();
	const written = await runTurn(session, "Write a file notes.md");
	expect(readFileSync(join(host.home, "notes.md"), "utf8")).toContain("Hello from Rightseat");
	expect(shownText(written)).toContain("Done: `notes.md` is there");
	writeFileSync(join(host.home, "notes.md"), "mine");
	const again = await runTurn(session, "Write a file notes.md");
	expect(shownText(again)).toContain("exists already");
	expect(readFileSync(join(host.home, "notes.md"), "utf8")).toBe("mine");
});

test("[DM6] it answers in Traditional Chinese when asked in Chinese", async () => {
	const events = await runTurn(await open(), "請列出檔案");
	expect(shownText(events)).toContain("沒有真正的模型");
	expect(shownText(events)).toContain("| `package.json` | 檔案 |");
});

test("[DM7] the scripted model listens on loopback only and answers nobody without its key", async () => {
	const demo = await startDemoModel();
	expect(new URL(demo.url).hostname).toBe("127.0.0.1");
	const ask = (authorization: string, body = "{}") =>
		fetch(`${demo.url}/chat/completions`, { method: "POST", headers: { authorization }, body }).then(({ status }) => status);
	expect(await ask("Bearer wrong")).toBe(401);
	expect(await ask("")).toBe(401);
	expect(await ask(`Bearer ${demo.key}`)).toBe(200);
	expect(await ask(`Bearer ${demo.key}`, "not json")).toBe(400);
	expect(await ask(`Bearer ${demo.key}`, "x".repeat(9 * 1024 * 1024))).toBe(413);
	await demo.close();
});
