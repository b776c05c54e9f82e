import type { SessionEvent } from "@github/copilot-sdk";
import type { Usage } from "@rightseat/protocol/model/turn";
import { expect, test } from "vitest";
import { createAsides } from "./asides.ts";

const event = (type: string, data: object): SessionEvent =>
	JSON.parse(JSON.stringify({ id: "e", parentId: null, timestamp: "", type, data }));
const called = (id: string, input: number) =>
	event("model.model_call_success", {
		modelCall: { api_id: id, model: "m" },
		responseUsage: { prompt_tokens: input, completion_tokens: 1 },
	});
const said = (id: string, content: string) => event("model.message", { modelCall: { api_id: id }, message: { content } });

test("[CX21] a call is a side question's by its words, and only if no turn has reported it, whichever comes first", async () => {
	const used: Usage[] = [];
	const asides = createAsides((usage) => void used.push(usage));
	asides.heard(event("assistant.usage", { apiCallId: "turn", model: "m" }));
	for (const each of [called("turn", 500), said("turn", "Yes")]) asides.heard(each);
	expect(await asides.ask(async () => "Yes")).toBe("Yes");
	expect(used).toEqual([]);
	for (const each of [called("late", 10), said("late", " Yes\n")]) asides.heard(each);
	for (const each of [called("early", 20), said("early", "No")]) asides.heard(each);
	await asides.ask(async () => "No");
	for (const each of [called("other", 30), said("other", "Yes")]) asides.heard(each);
	expect(used).toEqual([
		{ inputTokens: 10, outputTokens: 1, model: "m" },
		{ inputTokens: 20, outputTokens: 1, model: "m" },
	]);
	for (const odd of [event("model.message", {}), event("model.model_call_success", { modelCall: 7 })]) asides.heard(odd);
});

test("[CX22] questions are asked one after the other, also after one that failed", async () => {
	const asides = createAsides(() => undefined);
	const order: string[] = [];
	let answer: (text: string) => void = () => undefined;
	const first = asides.ask(() => {
		order.push("first");
		return new Promise((resolve) => (answer = resolve));
	});
	const second = asides.ask(async () => {
		order.push("second");
		throw new Error("no");
	});
	const third = asides.ask(async () => "third");
	await Promise.resolve();
	await Promise.resolve();
	expect(order).toEqual(["first"]);
	answer("done");
	await expect(second).rejects.toThrow("no");
	expect([await first, await third, order]).toEqual(["done", "third", ["first", "second"]]);
});
