import { expect, test } from "vitest";
import { CHAT, openChat } from "../store-harness.ts";

test("[US5] beyond the bound the oldest days are joined by conversation, then by model; what days and agents used stays", () => {
	const { store } = openChat();
	const days = Array.from({ length: 6 }, (_, index) => `2026-01-0${index + 1}`);
	const today = "2026-01-06";
	const add = (day: string, model: string, name: string) =>
		store.usage.add({
			...{ day, model, agent: "copilot", inputTokens: 2, outputTokens: 1, cost: 0.5 },
			conversationId: CHAT.replace("chat", name) as typeof CHAT,
		});
	for (const day of days) for (const model of ["a", "b"]) for (const name of ["chat", "x", "y"]) add(day, model, name);
	const sums = () => ({ day: store.usage.list({ by: "day" }), agent: store.usage.list({ by: "agent" }) });
	const before = sums();
	const rows = () => store.usage.list({ by: "conversation" }).find(({ key }) => key === "")?.inputTokens ?? 0;

	store.usage.join(36, today);
	expect(rows()).toBe(0);
	store.usage.join(28, today);
	expect(rows()).toBe(2 * 12);
	expect(store.usage.list({ by: "model" })).toMatchObject([{ key: "a" }, { key: "b" }]);
	store.usage.join(1, today);
	expect(store.usage.list({ by: "conversation", from: today })).toHaveLength(3);
	expect(store.usage.list({ by: "model", to: "2026-01-05" })).toEqual([{ key: "", inputTokens: 60, outputTokens: 30, cost: 15 }]);
	expect(sums()).toEqual(before);
	expect(store.usage.ofConversation(CHAT)).toEqual({ tokens: 36, cost: 6 });
});
