import { Socket } from "node:net";
import { expect, test } from "vitest";
import { clientAddress, forwardedAddress } from "./client-address.ts";

const request = (forwarded?: string | string[]) => ({
	headers: forwarded === undefined ? {} : { "x-forwarded-for": forwarded },
	socket: Object.assign(new Socket(), {}),
});

test.each([
	["203.0.113.9", "203.0.113.9"],
	["203.0.113.9:4001", "203.0.113.9"],
	["[2001:db8::1]:443", "2001:db8::1"],
	["[2001:DB8::1]", "2001:db8::1"],
	["2001:db8::1", "2001:db8::1"],
	["fe80::1%eth0", "fe80::1"],
	["::ffff:203.0.113.9", "203.0.113.9"],
	["[::ffff:203.0.113.9]:80", "203.0.113.9"],
	["unknown", undefined],
	["_hidden:123", undefined],
	["203.0.113.9:4001:1", undefined],
	["999.1.1.1", undefined],
	["", undefined],
])("[SE151] a forwarded address counts without port and brackets: %s", (text, expected) => expect(forwardedAddress(text)).toBe(expected));

test("[SE20] only the last entry counts, and only behind a declared proxy", () => {
	expect(clientAddress(request("198.51.100.1, 203.0.113.9:4001"), true)).toBe("203.0.113.9");
	expect(clientAddress(request(["198.51.100.1", "203.0.113.9"]), true)).toBe("203.0.113.9");
	expect(clientAddress(request("203.0.113.9"), false)).toBe("unknown");
	expect(clientAddress(request("nonsense"), true)).toBe("unknown");
	expect(clientAddress(request(), true)).toBe("unknown");
});
