import { connect } from "node:net";
import { afterEach, expect, test } from "vitest";
import { createFakeClock } from "../../../../../../test/support/fake-clock.ts";
import { freePort } from "../../../../../../test/support/free-port.ts";
import { selfSigned } from "../../../../../../test/support/self-signed.ts";
import { systemClock } from "../../../core/kernel/clock.ts";
import { silentLogger } from "../../../core/kernel/logger.ts";
import { createLan, isNear, type Lan, type LanCertificate, MAX_LAN_SOCKETS } from "./lan.ts";
import { createReach, type Paired } from "./reach.ts";
import { createTrial, TRIAL_MS } from "./trial.ts";

const certificate: LanCertificate = { ...selfSigned(), ca: new Uint8Array(), fingerprint: "AB", names: ["127.0.0.1", "box.local"] };
const opened: Lan[] = [];
afterEach(async () => {
	for (const lan of opened.splice(0)) await lan.close();
});
function lanWith(issue: () => LanCertificate | undefined = () => certificate, listensTo = isNear): Lan {
	const lan = createLan({
		certificates: { issue: async () => issue(), forget: () => undefined },
		deliver: (socket) => void socket.destroy(),
		...{ listensTo, clock: systemClock, logger: silentLogger },
	});
	opened.push(lan);
	return lan;
}
function reachWith(kept: Paired | undefined, lan = lanWith()) {
	let current = kept;
	const store = {
		current: () => current,
		save(paired: Paired | undefined) {
			current = paired;
		},
	};
	return { reach: createReach({ store, lan, clock: systemClock, logger: silentLogger }), kept: () => current };
}

test("[RC8] a trial ends by itself, and a new one ends the one before", async () => {
	const clock = createFakeClock();
	const trial = createTrial(clock);
	const first = trial.begin("https://a.example");
	const second = trial.begin("https://b.example");
	expect([trial.origin(), trial.prove(first.nonce), trial.prove(second.nonce)]).toEqual(["https://b.example", undefined, second.proof]);
	await clock.advance(TRIAL_MS);
	expect([trial.origin(), trial.prove(second.nonce)]).toEqual([undefined, undefined]);
});

test("[RC26] the local network is open again after a restart, under the address that the machine has now", async () => {
	const port = await freePort();
	const { reach, kept } = reachWith({ way: "lan", url: `https://10.9.9.9:${port}`, port });
	expect(reach.origins()).toEqual([]);
	await reach.start();
	expect(reach.origins()).toEqual([`https://127.0.0.1:${port}`, `https://box.local:${port}`]);
	expect(kept()).toEqual({ way: "lan", url: `https://127.0.0.1:${port}`, port });
});

test("[RC25] a start at which the port is taken, or no network is there, says so and goes on", async () => {
	const port = await freePort();
	const other = lanWith();
	await other.open(port);
	const { reach, kept } = reachWith({ way: "lan", url: `https://127.0.0.1:${port}`, port });
	await reach.start();
	expect([reach.current(), reach.origins()]).toEqual([{ way: "lan", url: `https://127.0.0.1:${port}`, port, problem: "port-in-use" }, []]);
	expect(kept()).toBeDefined();
	const away = reachWith(
		{ way: "lan", url: "https://10.9.9.9:1", port: await freePort() },
		lanWith(() => undefined),
	);
	await away.reach.start();
	expect(away.reach.current()).toMatchObject({ problem: "bad-request" });
});

test("[RC24] whoever is not in a local network is not listened to", async () => {
	const near = ["192.168.1.5", "10.0.0.1", "172.31.0.1", "169.254.3.4", "127.0.0.1"];
	expect(near.filter((address) => !isNear(address))).toEqual([]);
	const far = ["203.0.113.7", "8.8.8.8", "172.32.0.1", "100.64.0.1", "2001:db8::1", undefined];
	expect(far.filter((address) => isNear(address))).toEqual([]);
	const port = await freePort();
	await lanWith(undefined, () => false).open(port);
	const socket = connect(port, "127.0.0.1", () => socket.write("GET / HTTP/1.1\r\nhost: box.local\r\n\r\n"));
	const heard = await new Promise((resolve) => {
		socket.on("error", () => undefined);
		socket.once("data", () => resolve("an answer")).once("close", () => resolve("nothing"));
	});
	expect(heard).toBe("nothing");
});

test("[RC27] sockets of the local network have a bound, and a closed port ends them all", async () => {
	const port = await freePort();
	const lan = lanWith();
	await lan.open(port);
	const sockets = await Promise.all(
		Array.from({ length: MAX_LAN_SOCKETS + 8 }, async () => {
			const socket = connect(port, "127.0.0.1");
			const ended = new Promise<void>((resolve) => socket.on("error", () => undefined).on("close", () => resolve()));
			await new Promise((resolve) => socket.once("connect", resolve).once("close", resolve));
			return { socket, ended };
		}),
	);
	const dropped = await Promise.race(sockets.map(({ ended }, index) => ended.then(() => index)));
	expect(dropped).toBeGreaterThan(0);
	// The first is still listened to: what was dropped was one too many, and not one that said nothing for too long.
	const [first] = sockets;
	const answered = new Promise((resolve) => first?.socket.once("data", (data) => resolve(String(data))).once("close", resolve));
	first?.socket.write("GET / HTTP/1.1\r\nhost: box.local\r\n\r\n");
	expect(await answered).toMatch(/^HTTP\/1\.1 200 OK/);
	await lan.close();
	await Promise.all(sockets.map(({ ended }) => ended));
	expect(lan.addresses()).toEqual([]);
});
