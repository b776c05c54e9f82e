import { connect, createServer } from "node:net";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { lastUserText, type ScriptedModel, startScriptedModel } from "../../support/scripted-model.ts";
import { end, fail, raw, type Step, text } from "../../support/scripted-model-steps.ts";
import { lastEvent, ofKind, PROVIDER_KEY, runTurn, shownText, startRuntime } from "./runtime-harness.ts";

let model: ScriptedModel;
let host: ReturnType<typeof startRuntime>;
const held: (() => void)[] = [];

beforeAll(async () => {
	model = await startScriptedModel();
	host = startRuntime({ providerUrl: model.url });
	model.default((request) => answers[lastUserText(request)] ?? [text("Fine.")]);
});
afterAll(async () => {
	await host.close();
	await model.close();
	for (const letGo of held) letGo();
});

const answers: Record<string, Step[]> = {
	"answer 401": [fail(401, { message: `wrong key ${PROVIDER_KEY}` })],
	"answer 403": [fail(403)],
	"answer 404": [fail(404)],
	"answer 400": [fail(400, { message: "that is no question" })],
	"answer 429": [fail(429, { retryAfter: 600 })],
	"answer 500": [fail(500)],
	"answer garbage": [raw("data: {not json}\n\n"), raw("<html>"), end()],
	"answer nothing": [],
};

describe.concurrent("what a provider may do wrong", () => {
	test.each([
		["answer 401", "provider-auth", "RIGHTSEAT_PROVIDER_KEY"],
		["answer 403", "provider-auth", "RIGHTSEAT_PROVIDER_KEY"],
		["answer 404", "provider-error", "another model"],
		["answer 400", "provider-error", "that is no question"],
		["answer 429", "provider-rate-limit", "Wait a little"],
		["answer 500", "provider-error", "Send the message again"],
		["answer garbage", "provider-error", "Send the message again"],
		["answer nothing", "provider-error", "Send the message again"],
	])("[RT40] %s ends the turn with the code %s and says what to do", async (prompt, code, advice) => {
		const session = await host.open({ sessionId: prompt.replace(" ", "-") });
		const events = await runTurn(session, prompt);
		expect(ofKind(events, "turn-end")).toMatchObject([{ outcome: "error", error: { code, message: expect.stringContaining(advice) } }]);
		expect(lastEvent(events)?.kind).toBe("turn-end");
		expect(JSON.stringify(events)).not.toContain(PROVIDER_KEY);
		expect(JSON.stringify(events)).not.toContain("COPILOT_PROVIDER");
		expect(shownText(await runTurn(session, "and now?"))).toBe("Fine.");
	});

	test("[RT41] a provider that refuses connections is said to be unreachable, and every retry is shown at once", async () => {
		const dead = startRuntime({ providerUrl: `http://127.0.0.1:${await closedPort()}/v1` });
		const events = await runTurn(await dead.open(), "hi");
		expect(lastEvent(events)).toMatchObject({
			outcome: "error",
			error: { code: "provider-unreachable", message: expect.stringContaining("RIGHTSEAT_PROVIDER_URL") },
		});
		expect(ofKind(events, "notice").map(({ code }) => code)).toEqual(Array.from({ length: 5 }, () => "retrying"));
		await dead.close();
	});

	test("[RT42] a provider that lists no models still offers the configured one, or a stand-in", async () => {
		const unnamed = startRuntime({ providerUrl: `http://127.0.0.1:${await closedPort()}/v1` });
		expect((await unnamed.runtime.listModels()).default).toBe("default");
		await unnamed.close();
		const dead = startRuntime({ providerUrl: `http://127.0.0.1:${await closedPort()}/v1`, defaultModel: "my-model" });
		expect(await dead.runtime.listModels()).toEqual({
			state: "unlisted",
			models: [{ id: "my-model", name: "my-model" }],
			default: "my-model",
			because: "the provider could not be reached",
		});
		await dead.close();
	});
});

/** That of the near end of a connection: nobody listens there, and nobody else is given it while the connection is open, as one that was only let go would be. */
async function closedPort(): Promise<number> {
	const server = createServer();
	await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
	const address = server.address();
	const socket = connect(address !== null && typeof address !== "string" ? address.port : 0, "127.0.0.1");
	await new Promise<void>((resolve) => socket.once("connect", resolve));
	held.push(() => {
		socket.destroy();
		server.close();
	});
	return socket.localPort ?? 0;
}
