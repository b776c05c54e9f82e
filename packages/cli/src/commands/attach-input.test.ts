import { expect, test } from "vitest";
import { type Api, RefusedError } from "../connection/api.ts";
import { createFloor } from "../terminal/floor.ts";
import type { Look } from "../terminal/look.ts";
import { createTranscript } from "../terminal/transcript.ts";
import { wordsIn } from "../words.ts";
import { takeInput } from "./attach-input.ts";

const look: Look = { words: wordsIn("en"), paint: (text) => text, columns: () => 80 };

test("[CL135] in attach the mode and the effort are shown and set, and a side question is answered there alone; what is refused is said", async () => {
	const [asked, printed, sent]: [string[], string[], string[]] = [[], [], []];
	const conversation = { mode: "agent", effort: "" };
	const answer = async (method: string, path: string, body: object = {}) => {
		asked.push(`${method} ${path} ${JSON.stringify({ ...body, requestId: undefined })}`);
		if ("mode" in body && body.mode === "odd") throw new RefusedError(400, { code: "unknown-option", message: "There is no mode odd." });
		return "question" in body ? { answer: "Blue.\u001b[2J\nAnd green." } : { conversation: { ...conversation, ...body } };
	};
	const api = {
		get: (path: string) => answer("GET", path),
		patch: (path: string, body: object) => answer("PATCH", path, body),
		post: (path: string, body: object) => answer("POST", path, body),
	} as unknown as Api;
	const print = (rows: readonly string[]) => void printed.push(...rows);
	const type = async (text: string) => {
		takeInput(text, {
			...{ conversationId: "c1", api, look, print, floor: createFloor("c1", look), transcript: createTranscript(look, print) },
			deliver: ({ type: frame }) => sent.push(frame) > 0,
			sayFailure: async (error) => (error instanceof Error ? error.message : ""),
			...{ stop: () => undefined, quit: () => undefined, keep: () => undefined, begun: { moved: () => undefined } },
		});
		await new Promise((resolve) => setImmediate(resolve));
		return printed.splice(0);
	};
	expect(await type("/mode")).toEqual(["Mode: agent"]);
	expect(await type("/mode plan")).toEqual(["Mode: plan"]);
	expect(await type("/mode odd")).toEqual(["! There is no mode odd."]);
	expect(await type("/effort high")).toEqual(["Effort: high"]);
	expect(await type("/effort")).toEqual(["Effort: the agent's own"]);
	expect(await type("/btw")).toEqual(["Write the question behind /btw."]);
	const said = await type("/btw  which colour?");
	expect([said[0], said.slice(1).join("|")]).toEqual(["Side question, kept nowhere: which colour?", expect.not.stringContaining("\u001b")]);
	expect(said.slice(1).join("|")).toMatch(/Blue\..*\| {2}And green\./);
	expect(asked.at(-1)).toBe('POST /api/conversations/c1/aside {"question":"which colour?"}');
	expect([asked.length, sent]).toEqual([6, []]);
});
