import { expect, test } from "vitest";
import { AppError } from "../../core/kernel/errors.ts";
import { isLoopbackAddress, splitAddresses } from "./addresses.ts";
import { checkServer } from "./server-check.ts";

const facts = { version: "2.12.7", headers: true, jetstream: true, max_payload: 1_048_576 };
const remote = { isLoopback: false, allowOld: false };

function verdict(changes: Partial<typeof facts>, where = remote): string {
	try {
		return checkServer({ ...facts, ...changes }, where) ? "unsafe" : "fine";
	} catch (error) {
		return error instanceof AppError ? `${String(error.params?.reason)}: ${error.message}` : "thrown";
	}
}

test("[FL130] a server that cannot carry a fleet is refused with its version and what to do", () => {
	expect(verdict({ version: "2.9.3" })).toMatch(/^old-server: NATS 2\.9\.3 is too old/);
	expect(verdict({ version: "nonsense" })).toMatch(/^old-server/);
	expect(verdict({ headers: false })).toMatch(/^no-headers/);
	expect(verdict({ jetstream: false })).toMatch(/^no-jetstream: .*-js/);
	expect(verdict({ max_payload: 65_536 })).toMatch(/^small-payload/);
});

test("[FL131] a server with known holes is refused on another machine unless a person accepts it", () => {
	const safe = ["2.11.16", "2.11.17", "2.12.7", "2.12.15", "2.14.0", "2.14.5", "2.15.0-RC.1", "3.0.0"];
	const unsafe = ["2.9.10", "2.10.29", "2.11.15", "2.12.6", "2.12.7-RC.1", "2.13.0", "2.14.0-beta.1"];
	expect(safe.map((version) => verdict({ version }))).toEqual(safe.map(() => "fine"));
	for (const version of unsafe) {
		expect(verdict({ version })).toMatch(/^unsafe-server: .*RIGHTSEAT_FLEET_OLD_SERVER=1/);
		expect(verdict({ version }, { isLoopback: false, allowOld: true })).toBe("unsafe");
		expect(verdict({ version }, { isLoopback: true, allowOld: false })).toBe("fine");
	}
});

test("[FL132] only an address of this machine counts as one", () => {
	const own = ["nats://127.0.0.1:4222", "nats://localhost", "nats://[::1]:4222", "tls://127.9.9.9"];
	const others = ["nats://127.0.0.1.example.org", "nats://10.0.0.1", "nats://localhost.example.org:4222", "nonsense", "nats://0.0.0.0"];
	expect(own.map(isLoopbackAddress)).toEqual(own.map(() => true));
	expect(others.map(isLoopbackAddress)).toEqual(others.map(() => false));
	expect(splitAddresses(" nats://a:1, nats://b:2 ,")).toEqual(["nats://a:1", "nats://b:2"]);
});
