import { afterEach, beforeEach, expect, test } from "vitest";
import { createScriptedRuntime, type ScriptedRuntime } from "../../support/scripted-runtime.ts";
import { createWebBed, type WebBed } from "../../support/ws-harness.ts";

let bed: WebBed;
let other: ScriptedRuntime;
beforeEach(async () => {
	other = createScriptedRuntime();
	bed = await createWebBed({ agents: { other } });
});
afterEach(() => bed.close());

async function call(path: string, init?: Parameters<WebBed["api"]>[1]) {
	const response = await bed.api(path, init);
	return { status: response.status, body: await response.json() };
}
const post = (body: object) => call("/api/conversations", { method: "POST", body });

test("[AG4] every agent is listed with its state and what it can do; nothing of it runs is idle", async () => {
	const all = { resume: true, steer: true, models: true, images: true, sharedShell: true };
	other.able = { ...all, steer: false };
	other.setHealth({ state: "off", provider: "acp", version: "1.2.3" });
	expect(await call("/api/agents")).toEqual({
		status: 200,
		body: {
			agents: [
				{ id: "copilot", name: "copilot", kind: "copilot", state: "ready", capabilities: all },
				{ id: "other", name: "other", kind: "acp", state: "idle", version: "1.2.3", capabilities: { ...all, steer: false } },
			],
			default: "copilot",
		},
	});
});

test.each([
	["off", "idle"],
	["stopped", "idle"],
	["starting", "starting"],
	["ready", "ready"],
	["restarting", "restarting"],
	["resting", "resting"],
	["login-needed", "login-needed"],
	["missing", "missing"],
] as const)(
	"[AG4] an agent that is %s is told as %s, with what to do, to every connection; the runtime of older readers is Copilot",
	async (state, shown) => {
		const socket = await bed.connect();
		other.setHealth({ state, provider: "acp", message: "Do this.", code: "agent-x", params: { agent: "other" } });
		const { data } = await socket.next("app:status");
		expect(data).toMatchObject({
			runtime: { state: "ready", provider: "byok" },
			agents: [
				{ id: "copilot", state: "ready" },
				{ id: "other", state: shown, message: "Do this.", code: "agent-x", params: { agent: "other" } },
			],
		});
		expect(await (await fetch(`${bed.url}/healthz`)).json()).toEqual({ status: "ok" });
	},
);

test("[AG1] a conversation begins with the agent that is named and keeps it; an unknown one is a bad request", async () => {
	const created = await post({ agent: "other" });
	expect(created).toMatchObject({ status: 201, body: { conversation: { agent: "other" } } });
	expect(await post({})).toMatchObject({ status: 201, body: { conversation: { agent: "copilot" } } });
	expect(await post({ agent: "nobody" })).toMatchObject({ status: 400, body: { error: { code: "unknown-agent" } } });
	const path = `/api/conversations/${created.body.conversation.id}`;
	await bed.api(path, { method: "PATCH", body: { agent: "copilot", title: "Kept" } });
	expect((await call(path)).body.conversation).toMatchObject({ agent: "other", title: "Kept" });
});

test("[AG3] models are asked of the agent that is named, of Copilot without a name; an unknown agent is a bad request", async () => {
	other.models = "unlisted";
	expect((await call("/api/copilot/models?agent=other")).body).toMatchObject({ state: "unlisted", default: "default" });
	expect((await call("/api/copilot/models")).body).toMatchObject({ state: "listed", default: "model-a" });
	expect(await call("/api/copilot/models?agent=nobody")).toMatchObject({ status: 400, body: { error: { code: "unknown-agent" } } });
	let woken = 0;
	other.wake = () => {
		woken += 1;
	};
	expect((await call("/api/runtime/wake?agent=other", { method: "POST" })).status).toBe(202);
	expect(woken).toBe(1);
});

test("[AG57] what is on this machine is looked for anew when somebody asks, and an unknown default agent is refused", async () => {
	let looks = 0;
	bed.agents.refresh = async () => {
		looks += 1;
	};
	await call("/api/agents");
	await call("/api/agents");
	expect(looks).toBe(2);
	const choose = (defaultAgent: string) => call("/api/settings", { method: "PATCH", body: { defaultAgent } });
	expect(await choose("nobody")).toMatchObject({ status: 400, body: { error: { code: "unknown-agent" } } });
	expect(await choose("other")).toMatchObject({ status: 200, body: { settings: { defaultAgent: "other" } } });
	expect(await choose("")).toMatchObject({ status: 200, body: { settings: { defaultAgent: "" } } });
});

test("[AG270] what an agent can be set to is listed with it, and a conversation is changed to that and to nothing else", async () => {
	other.offered = {
		modes: [
			{ id: "agent", name: "Agent" },
			{ id: "plan", name: "Plan" },
		],
		efforts: [{ id: "high", name: "High" }],
	};
	const { agents } = (await call("/api/agents")).body;
	expect(agents.find(({ id }: { id: string }) => id === "other")).toMatchObject(other.offered);
	expect(agents[0]).not.toHaveProperty("modes");
	const { id } = (await post({ agent: "other" })).body.conversation;
	const patch = (body: object) => call(`/api/conversations/${id}`, { method: "PATCH", body });
	expect(await patch({ mode: "plan", effort: "high" })).toMatchObject({
		status: 200,
		body: { conversation: { mode: "plan", effort: "high" } },
	});
	expect(await patch({ mode: "autopilot" })).toMatchObject({ status: 400, body: { error: { code: "unknown-option" } } });
	expect(await patch({ mode: "" })).toMatchObject({ status: 400, body: { error: { code: "bad-request" } } });
	expect((await call(`/api/conversations/${id}`)).body.conversation).toMatchObject({ mode: "plan", effort: "high" });
});

test("[AG402] POST /api/conversations takes mode and effort, and refuses what is none", async () => {
	other.offered = { modes: [{ id: "plan", name: "Plan" }], efforts: [{ id: "high", name: "High" }] };
	expect(await post({ agent: "other", mode: "plan", effort: "high" })).toMatchObject({
		status: 201,
		body: { conversation: { mode: "plan", effort: "high" } },
	});
	expect(await post({ agent: "other", mode: "autopilot" })).toMatchObject({ status: 400, body: { error: { code: "unknown-option" } } });
	expect(await post({ agent: "other", mode: 7 })).toMatchObject({ status: 400, body: { error: { code: "bad-request" } } });
	expect(await post({ agent: "other", effort: "x".repeat(201) })).toMatchObject({ status: 400, body: { error: { code: "bad-request" } } });
});
