import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { createStrangerLimit, MAX_HELD_SOCKETS, MAX_UNKNOWN_SOCKETS } from "./stranger-limit.ts";

/** A crowd and the names of those it cut, in order. */
function bed() {
	const limit = createStrangerLimit();
	const cut: string[] = [];
	const arrive = (name: string, address: string) => {
		const socket = { name };
		limit.add(socket, address, () => void cut.push(name));
		return socket;
	};
	return { limit, cut, arrive };
}

test("[SE23] a crowd from one address cuts only its own connections, however slow the others are", () => {
	const { limit, cut, arrive } = bed();
	arrive("owner", "192.0.2.1");
	for (let i = 0; i < MAX_UNKNOWN_SOCKETS * 4; i += 1) arrive(`crowd ${i}`, `2001:db8:0:1::${(i % 5_000).toString(16)}`);
	expect(cut).not.toContain("owner");
	expect(cut.slice(0, 2)).toEqual(["crowd 0", "crowd 1"]);
	expect(limit.size()).toBe(MAX_UNKNOWN_SOCKETS);
});

test("[SE23] a crowd from everywhere loses its oldest; somebody with a browser's few connections is not picked out", () => {
	const { cut, arrive } = bed();
	for (let i = 0; i < MAX_UNKNOWN_SOCKETS - 4; i += 1) arrive(`crowd ${i}`, `10.0.${i >> 8}.${i & 255}`);
	for (let i = 0; i < 6; i += 1) arrive("owner", "192.0.2.1");
	expect(cut).toEqual(["crowd 0", "crowd 1"]);
});

test("[SE117] a login that is being looked at is not cut; what is held is bounded and goes back to the end of the line", () => {
	const { limit, cut, arrive } = bed();
	const release = limit.hold(arrive("slow login", "127.0.0.1"));
	for (let i = 0; i < MAX_UNKNOWN_SOCKETS * 2; i += 1) arrive(`crowd ${i}`, "127.0.0.1");
	expect(cut).not.toContain("slow login");
	release();
	release();
	expect(limit.size()).toBe(MAX_UNKNOWN_SOCKETS + 1);
	for (let i = 0; i < MAX_UNKNOWN_SOCKETS; i += 1) arrive(`late ${i}`, "127.0.0.1");
	expect(cut).toContain("slow login");

	const full = bed();
	const sockets = Array.from({ length: MAX_HELD_SOCKETS + 1 }, (_, i) => full.arrive(`${i}`, "127.0.0.1"));
	for (const socket of sockets) full.limit.hold(socket);
	expect(full.limit.size()).toBe(1);
});

test("[SE117] a connection that closed or proved itself while it was held does not come back", () => {
	const { limit, arrive } = bed();
	const socket = arrive("x", "127.0.0.1");
	const release = limit.hold(socket);
	limit.remove(socket);
	release();
	expect(limit.size()).toBe(0);
});

test("[AR123] the numbers in the decision are those of the code", () => {
	const file = "../../../../../../docs/decisions/0053-limits-that-spare-the-owner.md";
	const text = readFileSync(join(import.meta.dirname, file), "utf8");
	expect(text).toContain(`at most ${MAX_UNKNOWN_SOCKETS};`);
	expect(text).toContain(`at most ${MAX_HELD_SOCKETS} `);
});
