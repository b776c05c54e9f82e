import { afterAll, beforeAll, expect, test } from "vitest";
import { type AgentModel, startAgentModel } from "../agents/agent-model.ts";
import { decide, play } from "../agents/model-play.ts";
import { drawTable, withTable } from "../agents/table.ts";

let model: AgentModel;
beforeAll(async () => {
	model = await startAgentModel();
});
afterAll(() => model.close());

/** A prompt with one picture, which asks what of it has arrived. */
const seen = (picture: object) => [picture, { type: "text", text: `a needle\n${play("pictures", "find needle", "result")}` }];
const prompt = play("say Before.", 'tool Bash {"command":"ls"}', "say After.");

test("[AT7] a script goes on where the results of its tools show that it is, and the rest is a title", () => {
	const tools = ["rightseat_Bash", "read"];
	const asked = { by: "user" as const, text: `Some context.\n${prompt}` };
	expect(decide({ turns: [asked], tools, images: 0 })).toEqual([
		{ kind: "text", text: "Before." },
		{ kind: "tool", name: "rightseat_Bash", args: { command: "ls" } },
	]);
	expect(decide({ turns: [asked, { by: "assistant", text: "" }, { by: "tool", text: "a" }], tools, images: 0 })).toEqual([
		{ kind: "text", text: "After." },
	]);
	expect(decide({ turns: [asked], tools: [], images: 0 })).toEqual([{ kind: "text", text: "A title" }]);
	expect(decide({ turns: [{ by: "user", text: "hello" }], tools, images: 0 })).toEqual([{ kind: "text", text: "A title" }]);
	expect(decide({ turns: [asked, { by: "user", text: play("history") }], tools, images: 0 })).toEqual([
		{ kind: "text", text: 'Remembered: say Before. ;; tool Bash {"command":"ls"} ;; say After.' },
	]);
});

test.each([
	[
		"/v1/chat/completions",
		{ messages: [{ role: "user", content: prompt }], tools: [{ type: "function", function: { name: "rightseat_Bash" } }] },
	],
	["/v1/messages", { messages: [{ role: "user", content: [{ type: "text", text: prompt }] }], tools: [{ name: "mcp__rightseat__Bash" }] }],
	[
		"/v1/responses",
		{
			input: [{ type: "message", role: "user", content: [{ type: "input_text", text: prompt }] }],
			tools: [{ type: "function", name: "Bash" }],
		},
	],
	[
		"/v1beta/models/x:streamGenerateContent?alt=sse",
		{ contents: [{ role: "user", parts: [{ text: prompt }] }], tools: [{ functionDeclarations: [{ name: "mcp_rightseat_Bash" }] }] },
	],
])("[AT7] asked by %s it says its words and calls the tool by the agent's name for it", async (path, body) => {
	const response = await fetch(`${model.url}${path}`, { method: "POST", body: JSON.stringify(body) });
	const events = await response.text();
	expect(response.headers.get("content-type")).toBe("text/event-stream");
	expect(events).toContain("Before.");
	expect(events).toMatch(/"name":"(?:rightseat_|mcp__rightseat__|mcp_rightseat_)?Bash"/);
	expect(events).not.toContain("After.");
});

test.each([
	[
		"/v1/chat/completions",
		{
			messages: [{ role: "user", content: seen({ type: "image_url", image_url: { url: "data:x" } }) }],
			tools: [{ function: { name: "x" } }],
		},
	],
	["/v1/messages", { messages: [{ role: "user", content: seen({ type: "image", source: {} }) }], tools: [{ name: "x" }] }],
	[
		"/v1/responses",
		{
			input: [{ type: "message", role: "user", content: seen({ type: "input_image", image_url: "data:x" }) }],
			tools: [{ type: "function", name: "x" }],
		},
	],
	[
		"/v1beta/models/x:streamGenerateContent?alt=sse",
		{ contents: [{ role: "user", parts: seen({ inlineData: { data: "" } }) }], tools: [{ functionDeclarations: [{ name: "x" }] }] },
	],
])("[AT7] asked by %s it counts the pictures that it was shown, and finds words", async (path, body) => {
	const response = await fetch(`${model.url}${path}`, { method: "POST", body: JSON.stringify(body) });
	const events = await response.text();
	expect(events).toContain("Pictures: 1");
	expect(events).toContain("Found.");
	expect(events).toContain("Result: none");
});

test("[AT7] a refusal has the status that the script says", async () => {
	const body = { messages: [{ role: "user", content: play("fail 403") }], tools: [{ function: { name: "x" } }] };
	expect((await fetch(`${model.url}/v1/chat/completions`, { method: "POST", body: JSON.stringify(body) })).status).toBe(403);
});

test("[AT8] the table has a row for each promise and a column for each agent, and replaces the one before", () => {
	const table = drawTable([
		{ agent: "One", name: "it answers", state: "kept", remark: "" },
		{ agent: "Two", name: "it answers", state: "broken", remark: "said | nothing" },
		{ agent: "One", name: "it stops", state: "kept", remark: "12 ms" },
		{ agent: "Two", name: "it stops", state: "none", remark: "not for it" },
	]);
	expect(table.split("\n")).toEqual([
		"|  | One | Two |",
		"| --- | --- | --- |",
		"| it answers | yes | **no** (said \\| nothing) |",
		"| it stops | yes (12 ms) | – |",
	]);
	const once = withTable("# Agents\n\nWords.\n", "old");
	expect(withTable(`${once}\nMore.\n`, "new")).toBe(`${once.replace("old", "new")}\nMore.\n`);
});
