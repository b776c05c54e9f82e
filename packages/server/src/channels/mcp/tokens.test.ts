import { expect, test } from "vitest";
import { createFakeClock } from "../../../../../test/support/fake-clock.ts";
import { randomIds } from "../../core/kernel/ids.ts";
import { silentLogger } from "../../core/kernel/logger.ts";
import { openStore } from "../../store/open-store.ts";
import { createLineage, MAX_CONVERSATIONS_PER_HOUR, MAX_PROMPTS_PER_DAY, MAX_PROMPTS_PER_HOUR } from "./lineage.ts";
import { createMcpTokens, MAX_TEMPORARY_TOKENS, MAX_TOKENS, TEMPORARY_TOKEN_MS } from "./tokens.ts";

function make() {
	const clock = createFakeClock();
	const { sql } = openStore({ path: ":memory:", clock, logger: silentLogger, ids: randomIds });
	const revoked: string[] = [];
	const hidden: string[] = [];
	const tokens = createMcpTokens({
		...{ sql, clock, ids: randomIds, logger: silentLogger },
		hide: (secret) => hidden.push(secret),
		onRevoked: (id) => revoked.push(id),
	});
	return { clock, sql, tokens, revoked, hidden, lineage: createLineage({ sql, clock }) };
}
const wanted = { name: "Editor", permissions: "ask", reach: "own", temporary: false } as const;

test("[MC5] a temporary token is found and not listed, and ends after a day without use or with the access token", async () => {
	const { clock, tokens, revoked } = make();
	const [first, second] = [tokens.create({ ...wanted, temporary: true }), tokens.create({ ...wanted, temporary: true })];
	expect(tokens.list()).toEqual([]);
	expect(tokens.find(first.secret)).toMatchObject({ id: first.token.id, owner: "local" });
	await clock.advance(TEMPORARY_TOKEN_MS - 1);
	expect(tokens.find(first.secret)).toBeDefined();
	await clock.advance(2);
	expect(tokens.find(second.secret)).toBeUndefined();
	expect(tokens.find(first.secret)).toBeDefined();
	const kept = tokens.create(wanted);
	tokens.endTemporary();
	expect(tokens.find(first.secret)).toBeUndefined();
	expect(tokens.find(kept.secret)).toMatchObject({ id: kept.token.id, owner: kept.token.id });
	expect(revoked).toEqual([second.token.id, first.token.id]);
});

test("[MC5] the temporary token that was used longest ago gives way at the limit; kept ones are refused at theirs", () => {
	const { tokens, hidden } = make();
	const made = Array.from({ length: MAX_TEMPORARY_TOKENS }, () => tokens.create({ ...wanted, temporary: true }));
	tokens.find(made[0]?.secret ?? "");
	tokens.create({ ...wanted, temporary: true });
	expect(tokens.find(made[0]?.secret ?? "")).toBeDefined();
	expect(tokens.find(made[1]?.secret ?? "")).toBeUndefined();
	for (let count = 0; count < MAX_TOKENS; count += 1) tokens.create(wanted);
	expect(() => tokens.create(wanted)).toThrow("20 tokens are enough");
	expect(hidden).toHaveLength(MAX_TEMPORARY_TOKENS + 1 + MAX_TOKENS);
});

test("[MC30] conversations and prompts are counted by the hour and the day, on disk, and nothing is counted that was refused", async () => {
	const { clock, sql, lineage } = make();
	for (let count = 0; count < MAX_CONVERSATIONS_PER_HOUR; count += 1) lineage.spend(["conversation"], ["token t1", "conversation c1"]);
	expect(() => lineage.spend(["conversation"], ["token t2", "conversation c1"])).toThrow("20 conversations");
	expect(sql.prepare("SELECT COUNT(*) AS n FROM mcp_spent WHERE origin = 'token t2'").get()).toEqual({ n: 0 });
	expect(() => createLineage({ sql, clock }).spend(["conversation"], ["token t1"])).toThrow("20 conversations");
	await clock.advance(3_600_001);
	lineage.spend(["conversation"], ["token t1"]);
	for (let sent = 0; sent < MAX_PROMPTS_PER_DAY; sent += 1) {
		if (sent > 0 && sent % MAX_PROMPTS_PER_HOUR === 0) {
			expect(() => lineage.spend(["prompt"], ["token t1"])).toThrow("60 prompts were sent within an hour");
			await clock.advance(3_600_001);
		}
		lineage.spend(["prompt"], ["token t1"]);
	}
	await clock.advance(3_600_001);
	expect(() => lineage.spend(["prompt"], ["token t1"])).toThrow("300 prompts were sent within a day");
	await clock.advance(24 * 3_600_000);
	lineage.spend(["prompt"], ["token t1"]);
	expect(sql.prepare("SELECT COUNT(*) AS n FROM mcp_spent").get()).toEqual({ n: 1 });
});
