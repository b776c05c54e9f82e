import { expect, test } from "vitest";
import { sourcesOf, whoAsks } from "./who-asks.ts";

test("[FL294] another host is told which device asks, as the list of logins here calls it; here its address is enough", () => {
	const session = { id: "s1", createdAt: 0, lastSeenAt: 0, address: "::1", userAgent: "", method: "code" } as const;
	const phone = sourcesOf("::1", { kind: "session", session });
	const remote = { data: { conversationId: "abcdefgh234567ab_c1" } };
	expect([whoAsks(phone, remote), whoAsks(phone, { data: { conversationId: "c1" } }), whoAsks(phone, {})]).toEqual([
		{ origin: "web", from: "::1 device s1" },
		{ origin: "web", from: "::1" },
		{ origin: "web", from: "::1" },
	]);
	expect(whoAsks(sourcesOf("::1", { kind: "token" }), remote)).toEqual({ origin: "web", from: "::1" });
});
