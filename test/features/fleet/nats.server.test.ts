import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { jetstreamManager } from "@nats-io/jetstream";
import { connect } from "@nats-io/transport-node";
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from "vitest";
import { caFile, createLanCertificates } from "../../../packages/server/src/app/reach/lan-certificates.ts";
import { systemClock } from "../../../packages/server/src/core/kernel/clock.ts";
import { AppError } from "../../../packages/server/src/core/kernel/errors.ts";
import type { BusMessage } from "../../../packages/server/src/fleet/bus.ts";
import type { LinkConfig } from "../../../packages/server/src/fleet/nats/connect-options.ts";
import { createNatsCourier, type NatsCourier } from "../../../packages/server/src/fleet/nats/create-nats-courier.ts";
import { hasNats, startNats, type TestNats } from "../../support/nats.ts";

/** Long, because the machine may be busy: what is awaited comes by itself. */
const until = <T>(holds: () => T | Promise<T>) => vi.waitFor(holds, { timeout: 40_000, interval: 20 });
const text = (bytes: Uint8Array | undefined) => (bytes === undefined ? undefined : Buffer.from(bytes).toString("utf8"));
const bytes = (words: string) => Buffer.from(words);

describe.skipIf(!hasNats)("over a real NATS server", () => {
	let nats: TestNats;
	const couriers: NatsCourier[] = [];
	const others: TestNats[] = [];
	beforeAll(async () => {
		nats = await startNats();
	});
	afterEach(async () => {
		await Promise.all(couriers.splice(0).map((courier) => courier.close()));
		await Promise.all(others.splice(0).map((other) => other.close()));
	});
	afterAll(() => nats?.close());

	function courier(config: Partial<LinkConfig> = {}): NatsCourier {
		const made = createNatsCourier({ url: nats.url, allowOld: false, ...config }, { clock: systemClock, name: "test" });
		couriers.push(made);
		return made;
	}
	async function other(options: Parameters<typeof startNats>[0]): Promise<TestNats> {
		const made = await startNats(options);
		others.push(made);
		return made;
	}
	async function refusal(config: Partial<LinkConfig>): Promise<string> {
		const error: unknown = await courier(config)
			.ready()
			.catch((problem: unknown) => problem);
		return error instanceof AppError ? `${error.code}/${String(error.params?.reason)}` : "connected";
	}

	test("[FL133] messages, requests and their answers pass; nobody there, and no engine, are told apart", async () => {
		const [a, b] = [courier(), courier()];
		await Promise.all([a.ready(), b.ready()]);
		const heard: string[] = [];
		const end = b.bus.subscribe("rs.x.live.h.c", (message) => heard.push(text(message.bytes) ?? ""));
		b.bus.subscribe("rs.x.cmd.b", ({ bytes: asked, answer }: BusMessage) => answer?.(bytes(`re: ${text(asked)}`)));
		await until(async () => expect((await a.bus.request("rs.x.cmd.b", bytes("ping"), 500)).kind).toBe("reply"));
		const reply = await a.bus.request("rs.x.cmd.b", bytes("hello"), 2_000);
		expect(reply.kind === "reply" && text(reply.bytes)).toBe("re: hello");
		expect(await a.bus.request("rs.x.cmd.nobody", bytes("x"), 2_000)).toEqual({ kind: "no-responders" });
		await until(() => {
			a.bus.publish("rs.x.live.h.c", bytes("word"));
			expect(heard).toContain("word");
		});
		end();
		b.bus.subscribe("rs.x.cmd.mute", () => undefined);
		await until(async () => expect(await a.bus.request("rs.x.cmd.mute", bytes("x"), 50)).toEqual({ kind: "timeout" }));
		await a.close();
		expect(await a.bus.request("rs.x.cmd.b", bytes("x"), 50)).toEqual({ kind: "disconnected" });
	});

	test("[FL134] a table gives the newest value and takes a new one only under the revision that was seen", async () => {
		const [a, b] = [courier(), courier()];
		await Promise.all([a.ready(), b.ready()]);
		const [one, two] = [a.bus.bucket("RS_x_T"), b.bus.bucket("RS_x_T")];
		expect(await one.get("k")).toBeUndefined();
		const first = await one.put("k", "1", undefined);
		expect(first).toBeTypeOf("number");
		expect(await two.put("k", "2", undefined)).toBeUndefined();
		expect(await two.get("k")).toEqual({ value: "1", revision: first });
		const second = await two.put("k", "2", first);
		expect(await one.put("k", "3", first)).toBeUndefined();
		expect(await one.get("k")).toEqual({ value: "2", revision: second });
	});

	test("[FL135] a table and a stream of copies that were deleted are made again, and that copies are lost is told", async () => {
		const a = courier();
		await a.ready();
		const [table, copies] = [a.bus.bucket("RS_y_T"), a.copies("y")];
		const lost = vi.fn();
		copies.onLost(lost);
		await table.put("k", "1", undefined);
		await copies.keep([
			{ subject: "rs.y.snap.h.c.0", bytes: bytes("one") },
			{ subject: "rs.y.snap.h.c.1", bytes: bytes("two") },
		]);
		expect(text(await copies.find("rs.y.snap.h.c.1"))).toBe("two");
		expect(await copies.find("rs.y.snap.h.other.0")).toBeUndefined();
		await copies.keep([{ subject: "rs.y.snap.h.c.0", bytes: bytes("newer") }]);
		expect(text(await copies.find("rs.y.snap.h.c.0"))).toBe("newer");
		expect(lost).not.toHaveBeenCalled();

		const operator = await connect({ servers: nats.url });
		const manager = await jetstreamManager(operator);
		const { config } = await manager.streams.info("RS_y_SNAP");
		expect(config).toMatchObject({ max_msgs_per_subject: 1, max_bytes: 4_294_967_296, subjects: ["rs.y.snap.>"] });
		await Promise.all([manager.streams.delete("KV_RS_y_T"), manager.streams.delete("RS_y_SNAP")]);
		await operator.close();

		await until(async () => expect(await table.put("k", "again", undefined)).toBeTypeOf("number"));
		await until(() => copies.keep([{ subject: "rs.y.snap.h.c.0", bytes: bytes("again") }]));
		expect(lost).toHaveBeenCalledOnce();
		expect(text(await copies.find("rs.y.snap.h.c.0"))).toBe("again");
		await copies.drop("rs.y.snap.h.c.*");
		expect(await copies.find("rs.y.snap.h.c.0")).toBeUndefined();
	});

	test("[FL335] that the copies were deleted is heard at once, and told once", async () => {
		const a = courier();
		await a.ready();
		const [copies, lost] = [a.copies("z"), vi.fn()];
		copies.onLost(lost);
		const keep = () => copies.keep([{ subject: "rs.z.snap.h.c.0", bytes: bytes("one") }]);
		await keep();
		await keep();
		const operator = await connect({ servers: nats.url });
		await (await jetstreamManager(operator)).streams.delete("RS_z_SNAP");
		await operator.close();
		await until(() => expect(lost).toHaveBeenCalled());
		await keep();
		expect(text(await copies.find("rs.z.snap.h.c.0"))).toBe("one");
		expect(lost).toHaveBeenCalledOnce();
	});

	test("[FL136] a killed server is told at once; when it is back subscriptions go on and that words may be lost is told", async () => {
		const server = await other({});
		const a = courier({ url: server.url });
		await a.ready();
		expect(a.status()).toMatchObject({ kind: "connected", isUnsafe: false });
		const [heard, back] = [vi.fn(), vi.fn()];
		a.onBack(back);
		a.bus.subscribe("rs.x.beat.h", heard);
		await server.kill();
		await until(() => expect(a.status().kind).toBe("connecting"));
		await until(async () => expect(await a.bus.request("rs.x.cmd.h", bytes("x"), 50)).toEqual({ kind: "disconnected" }));
		await expect(a.bus.bucket("T").get("k")).rejects.toMatchObject({ code: "fleet-not-connected" });
		// Whoever begins to listen in this very moment must not be deaf for good.
		const late = vi.fn();
		a.bus.subscribe("rs.x.card.h", late);
		await server.start();
		await until(() => expect(a.status().kind).toBe("connected"));
		await until(() => {
			a.bus.publish("rs.x.beat.h", bytes("beat"));
			a.bus.publish("rs.x.card.h", bytes("card"));
			expect(heard).toHaveBeenCalled();
			expect(late).toHaveBeenCalled();
		});
		expect(back).toHaveBeenCalledOnce();
	});

	test("[FL137] no engine, wrong credentials, no JetStream and no TLS are one sentence each; new credentials count without a restart", async () => {
		const [locked, plain] = await Promise.all([
			other({ config: 'authorization { user: "pilot", password: "secret" }' }),
			other({ jetstream: false }),
		]);
		const creds = join(locked.folder, "creds");
		writeFileSync(creds, "pilot:wrong\n");
		expect(await refusal({ url: "nats://127.0.0.1:1" })).toBe("fleet-not-connected/address");
		expect(await refusal({ url: locked.url })).toBe("fleet-refused/credentials");
		expect(await refusal({ url: plain.url })).toBe("fleet-refused/no-jetstream");
		// Not spoken to in plain text, though the server would.
		expect(await refusal({ url: `tls://127.0.0.1:${nats.port}` })).toBe("fleet-refused/no-tls");
		expect(await refusal({ url: locked.url, credsFile: creds })).toBe("fleet-refused/credentials");
		expect(await refusal({ url: locked.url, credsFile: join(locked.folder, "missing") })).toBe("fleet-refused/files");
		expect(await refusal({ url: nats.url, caFile: join(locked.folder, "missing") })).toBe("fleet-refused/files");
		writeFileSync(creds, "pilot:secret\n");
		expect(await refusal({ url: locked.url, credsFile: creds })).toBe("connected");
	});

	test("[FL138] a certificate that nobody trusts is refused, and one of the named authority is not", async () => {
		const home = mkdtempSync(join(tmpdir(), "rightseat-nats-ca-"));
		const certificates = createLanCertificates(home, { names: () => ({ addresses: ["127.0.0.1"], name: undefined }) });
		const { cert = "", key = "" } = (await certificates.issue()) ?? {};
		const server = await other({
			files: { "cert.pem": cert, "key.pem": key },
			config: 'tls { cert_file: "FOLDER/cert.pem", key_file: "FOLDER/key.pem" }',
		});
		expect(await refusal({ url: `tls://127.0.0.1:${server.port}` })).toBe("fleet-refused/untrusted");
		expect(await refusal({ url: server.url, caFile: caFile(home) })).toBe("connected");
		// Of the right authority, but for another machine.
		const elsewhere = createLanCertificates(home, { names: () => ({ addresses: ["127.0.0.9"], name: undefined }) });
		const { cert: otherCert = "", key: otherKey = "" } = (await elsewhere.issue()) ?? {};
		const wrong = await other({
			files: { "cert.pem": otherCert, "key.pem": otherKey },
			config: 'tls { cert_file: "FOLDER/cert.pem", key_file: "FOLDER/key.pem" }',
		});
		expect(await refusal({ url: wrong.url, caFile: caFile(home) })).toBe("fleet-refused/untrusted");
		rmSync(home, { recursive: true });
	});

	test("[FL156] a node that is asked to be left, and one that freezes, is left for another one of the cluster", async () => {
		const [small, large] = await Promise.all([other({ config: "max_payload: 262144" }), other({})]);
		const a = courier({ url: `${small.url},${large.url}` });
		await a.ready();
		const [of, heard] = [() => (a.maxBytes() === 196_608 ? small : large), vi.fn()];
		// Its two connections may have begun at different ones.
		const first = of();
		a.leaveNode();
		await until(() => expect([a.status().kind, of() === first]).toEqual(["connected", false]));
		const second = of();
		second.freeze(true);
		await until(() => expect([a.status().kind, of() === second]).toEqual(["connected", false]));
		a.bus.subscribe("rs.x.beat.h", heard);
		await until(() => {
			a.bus.publish("rs.x.beat.h", bytes("beat"));
			expect(heard).toHaveBeenCalled();
		});
		second.freeze(false);
	});

	test("[FL139] no message is larger than the server takes", async () => {
		const small = await other({ config: "max_payload: 262144" });
		const [a, b] = [courier({ url: small.url }), courier()];
		await Promise.all([a.ready(), b.ready()]);
		expect([a.maxBytes(), b.maxBytes()]).toEqual([196_608, 921_600]);
	});
});
