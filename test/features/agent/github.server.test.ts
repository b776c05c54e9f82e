import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { ACCEPTED_TOKEN, type FakeGitHub, startFakeGitHub } from "../../support/fake-github.ts";
import { startScriptedModel } from "../../support/scripted-model.ts";
import { text } from "../../support/scripted-model-steps.ts";
import { lastEvent, ofKind, runTurn, runtimePid, shownText, startRuntime } from "./runtime-harness.ts";

let github: FakeGitHub;
let host: ReturnType<typeof startRuntime>;
// As a server is started; none of the last two may get further.
const env = () => ({ ...process.env, ...github.env, GITHUB_TOKEN: ACCEPTED_TOKEN, RIGHTSEAT_PROVIDER_KEY: "a key" });

beforeAll(async () => {
	github = await startFakeGitHub();
	host = startRuntime({ githubToken: ACCEPTED_TOKEN, env: env() });
});
afterAll(async () => {
	await host.close();
	await github.close();
});

test("[RT103] a token that GitHub accepts starts the runtime, another one does not, and neither is shown", async () => {
	await host.runtime.start();
	expect(host.runtime.health()).toMatchObject({ state: "ready", provider: "copilot" });
	const refused = startRuntime({ githubToken: "gho_anotherToken0123456789abc", env: env() });
	const error: unknown = await refused.runtime.start().catch((reason: unknown) => reason);
	expect(error).toMatchObject({ code: "runtime-token-refused", message: expect.stringContaining("401") });
	expect(String(error)).not.toContain("gho_");
	await refused.close();
});

test("[RT104] the models are Copilot's own, with what they can do, without those that are switched off", async () => {
	const list = await host.runtime.listModels();
	expect(list.state).toBe("listed");
	expect(list.models).toContainEqual({
		id: "copilot-one",
		name: "Copilot One",
		vision: true,
		reasoning: false,
		contextLimit: 64_000,
		multiplier: 2,
	});
	expect(list.models.map(({ id }) => id)).not.toContain("copilot-off");
	const named = startRuntime({ githubToken: ACCEPTED_TOKEN, env: env(), defaultModel: "copilot-one" });
	expect((await named.runtime.listModels()).default).toBe("copilot-one");
	await named.close();
});

test("[RT105] a turn with Copilot answers, and the token goes to GitHub only, in no environment and no hook", async () => {
	const seen = join(host.home, "hook-environment");
	mkdirSync(join(host.home, "agent", "hooks"), { recursive: true });
	const hook = { version: 1, hooks: { userPromptSubmitted: [{ type: "command", bash: `env > ${seen}` }] } };
	writeFileSync(join(host.home, "agent", "hooks", "look.json"), JSON.stringify(hook));
	const before = github.requests.length;
	github.reply(text("Hello from Copilot."));
	const session = await host.open({ sessionId: "copilot-turn", model: "copilot-one" });
	const events = await runTurn(session, "hi");
	expect(shownText(events)).toBe("Hello from Copilot.");
	expect(lastEvent(events)).toEqual({ kind: "turn-end", outcome: "completed" });
	expect(ofKind(events, "usage")).toHaveLength(1);
	const asked = github.requests.slice(before);
	expect(asked.map(({ path }) => path)).toContain("/api/chat/completions");
	expect(asked.filter(({ path }) => path.includes("mcp") || path.includes("telemetry"))).toEqual([]);
	expect(readFileSync(seen, "utf8")).not.toContain(ACCEPTED_TOKEN);
	if (process.platform === "linux") {
		expect(readFileSync(`/proc/${await runtimePid(host.runtime)}/environ`, "utf8")).not.toContain(ACCEPTED_TOKEN);
	}
	const client = await host.runtime.getClient();
	const quota = await client.rpc.account.getQuota({ gitHubToken: ACCEPTED_TOKEN });
	expect(quota.quotaSnapshots.premium_interactions).toMatchObject({ entitlementRequests: 300, usedRequests: 75 });
});

test("[AN5] the token is in no environment of an MCP server that the runtime starts, and the server's own settings are not either", async () => {
	const seen = join(host.home, "server-environment");
	// It says what it sees and ends, as a broken server does: the turn goes on without it.
	const server = { type: "local", command: "bash", args: ["-c", `env > ${seen}`], tools: ["*"] };
	writeFileSync(join(host.home, "agent", "mcp-config.json"), JSON.stringify({ mcpServers: { look: server } }));
	github.reply(text("Without it."));
	const session = await host.open({ sessionId: "with-a-server", model: "copilot-one" });
	expect(shownText(await runTurn(session, "hi"))).toBe("Without it.");
	const found = readFileSync(seen, "utf8");
	expect(found).toContain("PATH=");
	expect(found).not.toMatch(/gho_|TOKEN=.|^RIGHTSEAT_(?!AGENT_RUN=)/m);
});

test("[RT106] beside a provider of one's own GITHUB_TOKEN goes nowhere: GitHub hears nothing", async () => {
	const model = await startScriptedModel();
	const own = startRuntime({ githubToken: ACCEPTED_TOKEN, providerUrl: model.url, env: env() });
	const before = github.requests.length;
	await own.runtime.start();
	model.reply(text("From my own model."));
	expect(shownText(await runTurn(await own.open(), "hi"))).toBe("From my own model.");
	await own.runtime.listModels();
	expect(github.requests.slice(before)).toEqual([]);
	await own.close();
	await model.close();
});
