import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { ACCEPTED_TOKEN, startFakeGitHub } from "../../support/fake-github.ts";
import { messageText, startScriptedModel } from "../../support/scripted-model.ts";
import { text } from "../../support/scripted-model-steps.ts";
import { runToEnd, startServer, type TestServer } from "../../support/server.ts";

let folder: string;
let server: TestServer | undefined;
beforeEach(() => {
	folder = mkdtempSync(join(tmpdir(), "rightseat-agent-"));
});
afterEach(async () => {
	await server?.close();
	server = undefined;
	rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
});

test("[RT121] with GITHUB_TOKEN a missing runtime ends the start: one fatal line that promises nothing, exit 1", async () => {
	const { exit, output } = await runToEnd({
		args: [],
		env: { GITHUB_TOKEN: ACCEPTED_TOKEN, COPILOT_CLI_PATH: join(folder, "nowhere") },
		home: join(folder, "home"),
		workdir: folder,
	});
	const fatal = output.split("\n").filter((line) => line.startsWith("fatal: "));
	expect({ exit, fatal }).toEqual({
		exit: 1,
		fatal: [expect.stringMatching(/did not start: COPILOT_CLI_PATH names .*nowhere.*GITHUB_TOKEN is set/)],
	});
	expect(output).not.toContain("tried again");
	expect(readFileSync(join(folder, "home/logs/rightseat.log"), "utf8")).toContain('"level":60');
});

test("[RT122] without GITHUB_TOKEN a missing runtime is no reason not to start: the conversations can be read", async () => {
	server = await startServer({ env: { COPILOT_CLI_PATH: join(folder, "nowhere") } });
	expect((await server.api("/api/conversations")).status).toBe(200);
});

test("[RT123] the configured model and system prompt reach the model, and the runtime is stopped with the server", async () => {
	const model = await startScriptedModel({ models: ["first-model", "second-model"] });
	const env = {
		RIGHTSEAT_PROVIDER_URL: model.url,
		COPILOT_DEFAULT_MODEL: "second-model",
		RIGHTSEAT_SYSTEM_PROMPT: "Answer like a lighthouse keeper.",
	};
	server = await startServer({ env });
	const created = await server.api("/api/conversations", { method: "POST", json: {} });
	const { conversation }: { conversation: { id: string; model: string } } = await created.json();
	expect(conversation.model).toBe("second-model");
	model.reply(text("Aye."));
	const client = await server.ws();
	client.send({ type: "copilot:send", data: { conversationId: conversation.id, prompt: "hello", clientMessageId: "c1" } });
	await client.waitFor("copilot:idle");
	await client.close();
	const { body } = await model.request(1);
	expect(body.model).toBe("second-model");
	expect(
		body.messages
			.filter(({ role }) => role === "system")
			.map(messageText)
			.join(),
	).toContain("Answer like a lighthouse keeper.");
	expect(await server.kill("SIGTERM")).toBe(0);
	expect(server.log()).toContain("The Copilot runtime has stopped");
	await model.close();
});

test("[RT124] with a token that GitHub accepts the server starts and offers Copilot's own models", async () => {
	const github = await startFakeGitHub();
	server = await startServer({ env: { GITHUB_TOKEN: ACCEPTED_TOKEN, ...github.env } });
	const list: { models: { id: string }[] } = await (await server.api("/api/copilot/models")).json();
	expect(list.models.map(({ id }) => id)).toContain("copilot-one");
	expect(server.log() + server.output()).not.toContain(ACCEPTED_TOKEN);
	await github.close();
});
