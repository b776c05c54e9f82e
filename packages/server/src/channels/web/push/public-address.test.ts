import { expect, test } from "vitest";
import { isPublicAddress, publicLookup } from "./public-address.ts";

test("[SE30] addresses of this machine, its network, tunnels and documentation are not public", () => {
	const inside = ["127.0.0.1", "10.1.2.3", "172.31.0.1", "192.168.1.1", "169.254.169.254", "100.64.0.1", "0.0.0.0", "224.0.0.1"];
	inside.push(
		"::1",
		"::",
		"fe80::1",
		"fd00::1",
		"::ffff:127.0.0.1",
		"64:ff9b::7f00:1",
		"2002:7f00:1::",
		"2001:db8::1",
		"not an address",
		"",
	);
	expect(inside.filter(isPublicAddress)).toEqual([]);
	const outside = ["8.8.8.8", "172.32.0.1", "142.250.74.110", "2a00:1450:4001:82a::200e", "::ffff:8.8.8.8"];
	expect(outside.filter((address) => !isPublicAddress(address))).toEqual([]);
});

test("[SE235] a name is looked up when the connection is made, and one that leads inside is not connected to", async () => {
	const look = (addresses: string[], all: boolean) =>
		new Promise((resolve) => {
			publicLookup(async () => addresses)("push.example", { all }, (error, found, family) => resolve(error?.message ?? { found, family }));
		});
	expect(await look(["8.8.8.8"], false)).toEqual({ found: "8.8.8.8", family: 4 });
	expect(await look(["8.8.8.8", "2a00:1450::1"], true)).toMatchObject({ found: [{ family: 4 }, { family: 6 }] });
	for (const addresses of [["127.0.0.1"], ["8.8.8.8", "10.0.0.1"], []]) expect(await look(addresses, false)).toMatch(/inside this network/);
});
