import { expect, test } from "vitest";
import { createMemoryLedger } from "./memory-ledger.ts";

/** An account that holds bytes and frees what it is asked for. */
function holder(ledger: ReturnType<typeof createMemoryLedger>, name: string, order: number, asked: string[]) {
	const account = ledger.account(name, {
		order,
		free(bytes) {
			asked.push(name);
			const freed = Math.min(bytes, account.bytes());
			account.add(-freed);
			return freed;
		},
	});
	return account;
}

test("[WS231] over the limit the accounts free memory in their order, and only as much as is needed", () => {
	const asked: string[] = [];
	const ledger = createMemoryLedger(100);
	const sockets = holder(ledger, "sockets", 1, asked);
	const rings = holder(ledger, "rings", 0, asked);
	rings.add(60);
	sockets.add(30);
	expect(asked).toEqual([]);
	ledger.account("turns").add(40);
	expect([asked, rings.bytes(), sockets.bytes()]).toEqual([["rings"], 30, 30]);
	ledger.account("turns").add(50);
	expect([asked.slice(1), rings.bytes(), sockets.bytes()]).toEqual([["rings", "sockets"], 0, 10]);
	expect(ledger.usage()).toEqual({ limitBytes: 100, usedBytes: 100, peakBytes: 100, accounts: { sockets: 10, rings: 0, turns: 90 } });
});

test("[WS231] what would not fit even then is refused and not counted", () => {
	const ledger = createMemoryLedger(100);
	const turns = ledger.account("turns");
	turns.add(80);
	const uploads = ledger.account("uploads");
	expect([uploads.reserve(20), uploads.reserve(1)]).toEqual([true, false]);
	expect(uploads.bytes()).toBe(20);
	uploads.add(-20);
	expect(uploads.reserve(15)).toBe(true);
});
