import { expect, test } from "vitest";
import { createFakeClock } from "../../../../../../test/support/fake-clock.ts";
import { conversationId, randomIds } from "../../../core/kernel/ids.ts";
import { silentLogger } from "../../../core/kernel/logger.ts";
import { openStore } from "../../../store/open-store.ts";
import { createShares, MAX_SHARES } from "./shares.ts";

const here = conversationId("here");

async function bed() {
	const clock = createFakeClock();
	const opened = await openStore({ path: ":memory:", clock, logger: silentLogger, ids: randomIds });
	const gone = new Set<string>();
	const shares = createShares({ sql: opened.sql, clock, ids: randomIds, exists: (id) => !gone.has(id) });
	return { clock, gone, shares, sql: opened.sql, close: () => opened.close() };
}

test("[SR11] a link works until its time is over, it is ended, its conversation is gone, or all are ended", async () => {
	const { clock, gone, shares, close } = await bed();
	const short = shares.make(here, 1);
	const ended = shares.make(here, 720);
	const other = shares.make(conversationId("there"), 720);
	expect([short, ended, other].map(({ secret }) => shares.find(secret))).toEqual([here, here, "there"]);
	expect(shares.find("wrong")).toBeUndefined();
	await clock.advance(3_600_000);
	expect(shares.find(short.secret)).toBeUndefined();
	expect([shares.revoke(ended.share.id), shares.revoke(ended.share.id)]).toEqual([true, false]);
	expect(shares.find(ended.secret)).toBeUndefined();
	expect(shares.list().map(({ id }) => id)).toEqual([other.share.id]);
	gone.add("there");
	expect([shares.find(other.secret), shares.list()]).toEqual([undefined, []]);
	const last = shares.make(here, 1);
	shares.revokeAll();
	expect(shares.find(last.secret)).toBeUndefined();
	await close();
});

test("[SR12] links are listed without their secrets, which are nowhere, and with when a guest looked last", async () => {
	const { clock, shares, sql, close } = await bed();
	const { secret, share } = shares.make(here, 24);
	expect(secret).toHaveLength(43);
	expect(JSON.stringify(sql.prepare("SELECT * FROM shares").all())).not.toContain(secret);
	expect(shares.list()).toEqual([{ ...share, lastUsedAt: null }]);
	await clock.advance(5_000);
	shares.find(secret);
	expect(shares.list()).toEqual([{ ...share, lastUsedAt: new Date(clock.now()).toISOString() }]);
	await close();
});

test("[SR13] so many links work at a time, and one that is over makes room", async () => {
	const { clock, shares, close } = await bed();
	for (let n = 0; n < MAX_SHARES; n += 1) shares.make(here, n === 0 ? 1 : 2);
	expect(() => shares.make(here, 1)).toThrow(expect.objectContaining({ code: "rate-limited" }));
	await clock.advance(3_600_000);
	expect(shares.make(here, 1).share.conversationId).toBe(here);
	await close();
});
