import type { FleetCommand } from "@rightseat/protocol/fleet/command";
import fc from "fast-check";
import { expect, test } from "vitest";
import { AppError } from "../../core/kernel/errors.ts";
import { createHostKeys, type HostKeys } from "../crypto/host-keys.ts";
import { signText } from "../crypto/signed-text.ts";
import type { Fate } from "../memory-bus-harness.ts";
import { answerContext, subjects } from "../subjects.ts";
import { createCommandBed } from "./command-bed-harness.ts";
import { GIVE_UP_MS, MAX_COMMAND_BYTES, MAX_UNDER_WAY } from "./command-client.ts";
import { ACTOR, forged, frame, outcome, prompt, request } from "./command-words-harness.ts";

const HOUR_MS = 3_600_000;

test("[FL70] a command is carried out once and its answer comes back, audited with who and from where", async () => {
	const bed = createCommandBed();
	expect(await outcome(bed)).toBe('{"type":"done"}');
	expect(bed.owner.ran).toMatchObject([{ from: bed.console.keys.host, conversationId: "c1", frame: prompt }]);
	expect(bed.owner.audited).toMatchObject([{ verdict: "done", command: { actor: ACTOR, from: bed.console.keys.host } }]);
	expect(Buffer.concat(bed.bus.heard.map(({ bytes }) => bytes)).includes("prompt")).toBe(false);
});

test("[FL71] whatever is lost, doubled or late, no command runs twice, and one that is answered has run", async () => {
	const delivered = fc
		.tuple(fc.integer({ min: 1, max: 3 }), fc.nat(3_000))
		.map(([times, delayMs]): Fate => ({ kind: "delivered", times, delayMs }));
	const fate = fc.oneof({ arbitrary: fc.constant<Fate>({ kind: "lost" }), weight: 2 }, { arbitrary: delivered, weight: 3 });
	await fc.assert(
		fc.asyncProperty(fc.array(fate, { minLength: 1, maxLength: 60, size: "max" }), async (fates) => {
			let at = 0;
			const bed = createCommandBed({ fate: () => fates[at++] ?? { kind: "delivered", times: 1, delayMs: 0 } });
			const outcomes: string[] = [];
			for (const type of ["copilot:send", "terminal:input", "copilot:send"]) {
				const data = { clientMessageId: `m${outcomes.length}` };
				outcomes.push(await outcome(bed, { frame: frame(type, data) }));
			}
			await bed.clock.advance(20_000);
			const ids = bed.owner.ran.map(({ id }) => id);
			expect(new Set(ids).size).toBe(ids.length);
			outcomes.forEach((each, index) => {
				const runs = bed.owner.ran.filter(({ frame: ran }) => ran.data?.clientMessageId === `m${index}`).length;
				if (each === '{"type":"done"}') expect(runs).toBe(1);
				else expect([each, runs <= 1]).toEqual(["host-unreachable", true]);
			});
		}),
		{ numRuns: 60 },
	);
});

test("[FL72] nobody there is `host-offline` and certain; no answer after something was sent is `host-unreachable`", async () => {
	const bed = createCommandBed();
	bed.stop();
	expect(await outcome(bed)).toBe("host-offline");
	const silent = createCommandBed();
	await silent.clock.advance(10 * 60_000);
	expect([await outcome(silent), silent.bus.heard.length]).toEqual(["host-offline", 0]);
	const cut = createCommandBed();
	cut.bus.cut(true);
	expect(await outcome(cut)).toBe("fleet-not-connected");
	// The first try is lost, then the owner goes: nobody knows whether it was done.
	let tries = 0;
	const lost = createCommandBed({ fate: () => (tries++ === 0 ? { kind: "lost" } : { kind: "delivered", times: 1, delayMs: 0 }) });
	const pending = outcome(lost);
	await lost.clock.settle();
	lost.stop();
	expect(await pending).toBe("host-unreachable");
	expect(GIVE_UP_MS).toBeGreaterThan(2_000);
});

test("[FL73] a command expires in the clock of its receiver, however wrong that is, and also while the receiver sleeps", async () => {
	const ahead = createCommandBed();
	ahead.clock.jump(HOUR_MS);
	expect(await outcome(ahead)).toBe("command-expired");
	ahead.beat();
	expect(await outcome(ahead)).toBe('{"type":"done"}');
	const asleep = createCommandBed();
	await forged(asleep, { notAfter: asleep.clock.now() - 1 });
	await forged(asleep, { notAfter: asleep.clock.now() + 2 * HOUR_MS });
	expect([asleep.owner.ran.length, asleep.owner.audited.map(({ verdict }) => verdict)]).toEqual([
		0,
		["command-expired", "command-expired"],
	]);
});

test("[FL74] a recorded command that is sent again is answered, never run: within its time it is known, afterwards it has expired", async () => {
	const bed = createCommandBed();
	await outcome(bed);
	const [recorded] = bed.bus.heard;
	const replay = async () => {
		bed.bus.publish(recorded?.subject ?? "", recorded?.bytes ?? Buffer.alloc(0));
		await bed.clock.advance(1);
	};
	await replay();
	await bed.clock.advance(24 * HOUR_MS);
	await replay();
	bed.clock.jump(-24 * HOUR_MS);
	await replay();
	expect(bed.owner.ran).toHaveLength(1);
});

test("[FL75] what is altered, for another host or fleet, by a stranger, under another's name or by a removed host does not run", async () => {
	const bed = createCommandBed();
	const stranger = createHostKeys();
	await forged(bed, { to: bed.console.keys.host });
	await forged(bed, { fleet: stranger.host });
	await forged(bed, { from: stranger.host });
	await forged(bed, {}, stranger);
	await forged(bed, {}, stranger, bed.console.keys.host);
	await forged(bed, {}, bed.console.keys, bed.console.keys.host, bed.owner.keys.host);
	bed.say({ kind: "remove", host: bed.console.keys.host });
	await forged(bed, {});
	expect([bed.owner.ran.length, bed.owner.refused]).toEqual([
		...[0],
		["elsewhere", "elsewhere", "elsewhere", "stranger", "bad-signature", "malformed", "removed"],
	]);
});

test("[FL76] each host decides itself: a role that is too small, or capped there, is refused and audited", async () => {
	const talk = createCommandBed({ role: "talk" });
	expect([await outcome(talk), await outcome(talk, { frame: frame("bash:exec") })]).toEqual(['{"type":"done"}', "not-allowed-on-host"]);
	const capped = createCommandBed({ role: "full", allow: "watch" });
	expect([await outcome(capped), await outcome(capped, { frame: frame("fleet:read") })]).toEqual([
		"not-allowed-on-host",
		'{"type":"done"}',
	]);
	expect(capped.owner.audited.map(({ verdict }) => verdict)).toEqual(["not-allowed-on-host"]);
});

test("[FL77] after a restart of the receiver a prompt still runs, and what it does not remember does not", async () => {
	const bed = createCommandBed();
	bed.restart("run-00002");
	expect([await outcome(bed), await outcome(bed, { frame: frame("terminal:input") })]).toEqual(['{"type":"done"}', "command-expired"]);
	bed.beat();
	expect(await outcome(bed, { frame: frame("terminal:input") })).toBe('{"type":"done"}');
	await forged(bed, { frame: frame("terminal:input") });
	expect(bed.owner.ran).toHaveLength(2);
});

test("[FL78] a holder with an older fence is refused by whoever has seen a newer one", async () => {
	const bed = createCommandBed();
	const by = (number: number) => outcome(bed, { fence: { lease: "telegram.1", number } });
	expect([await by(3), await by(4), await by(3), await by(4)]).toEqual([
		...['{"type":"done"}', '{"type":"done"}', "fleet-refused", '{"type":"done"}'],
	]);
});

test("[FL79] an error of the owner arrives with its code; one that may pass is tried again, one that stays is remembered", async () => {
	let runs = 0;
	const failing = (retryable: boolean) => () => {
		runs += 1;
		return Promise.reject(new AppError("queue-full", "Full.", { retryable }));
	};
	for (const retryable of [true, false]) {
		runs = 0;
		const bed = createCommandBed({ run: failing(retryable) });
		const id = crypto.randomUUID();
		await forged(bed, { id });
		await forged(bed, { id });
		expect(runs).toBe(retryable ? 2 : 1);
		expect(await outcome(bed)).toBe("queue-full");
	}
	const broken = createCommandBed({ run: () => Promise.reject(new Error("secret path")) });
	expect(await outcome(broken)).toBe("internal");
});

test("[FL80] an answer that the asked host did not sign for this command counts as none", async () => {
	const bed = createCommandBed();
	bed.stop();
	const stranger = createHostKeys();
	const { host } = bed.owner.keys;
	const subject = subjects.command(bed.fleet, host);
	let tries = 0;
	bed.bus.subscribe(subject, ({ answer, bytes }) => {
		const opened = bed.sealer.open({ context: subject, bytes });
		const { id }: FleetCommand = JSON.parse(JSON.parse(opened.ok ? opened.body.toString() : "{}").payload);
		/** As a member that has the content key could make it. */
		const made = (signer: HostKeys, change: object) => {
			const said = JSON.stringify({ id, from: host, to: bed.console.keys.host, result: { kind: "done", frames: ["false"] }, ...change });
			const body = Buffer.from(JSON.stringify(signText(signer, host, "answer", said)));
			return bed.sealer.seal({ context: answerContext(bed.fleet, host, id), from: host, body });
		};
		const { keys } = bed.owner;
		const wrong = [
			bytes,
			Buffer.from("done"),
			made(stranger, {}),
			made(keys, { id: "another-command" }),
			made(keys, { to: stranger.host }),
		];
		const right = made(keys, { result: { kind: "done", frames: ["true"] } });
		answer?.(wrong[tries++] ?? right);
	});
	expect([await outcome(bed), tries]).toEqual(["true", 6]);
});

test("[FL81] a frame of another conversation, a newer language, a removed host, a reused id and too much text are refused by name", async () => {
	const bed = createCommandBed();
	const id = crypto.randomUUID();
	await forged(bed, { frame: frame("copilot:send", { conversationId: "c2" }) });
	await forged(bed, { v: 2 });
	await forged(bed, { id });
	await forged(bed, { id, frame: frame("copilot:send", { prompt: "other" }) });
	expect(bed.owner.audited.map(({ verdict }) => verdict)).toEqual(["bad-frame", "host-too-old", "done", "id-reused"]);
	expect(await outcome(bed, { frame: frame("copilot:send", { prompt: "x".repeat(MAX_COMMAND_BYTES) }) })).toBe("too-large");
	expect(await outcome(createCommandBed({ run: () => Promise.resolve(["x".repeat(MAX_COMMAND_BYTES)]) }))).toBe("too-large");
	// What the engine would not take is refused before it is tried: nobody would hear of it.
	const small = createCommandBed({ maxBytes: () => 65_536 });
	expect(await outcome(small, { frame: frame("copilot:send", { prompt: "x".repeat(65_536) }) })).toBe("too-large");
	expect(await outcome(small, { frame: frame("copilot:send", { prompt: "x".repeat(60_000) }) })).toContain("done");
	bed.hosts.card({ host: bed.owner.keys.host, name: "o", version: "9", protocol: { min: 2, max: 3 }, platform: "", since: 0 });
	expect(await outcome(bed)).toBe("host-too-old");
	bed.say({ kind: "remove", host: bed.owner.keys.host });
	expect(await outcome(bed)).toBe("host-removed");
});

test("[FL82] a full memory of commands lets nothing run", async () => {
	const bed = createCommandBed({ memory: () => ({ begin: () => ({ kind: "full" }), end: () => undefined }) });
	expect([await outcome(bed), bed.owner.ran.length]).toEqual(["rate-limited", 0]);
});

test("[FL82] a console has no more than so many commands under way, and again as many when they have ended", async () => {
	const bed = createCommandBed({ fate: () => ({ kind: "lost" }) });
	const codes: unknown[] = [];
	for (let index = 0; index <= MAX_UNDER_WAY; index++) {
		bed.console.client.send(request(bed)).catch((error: unknown) => codes.push(error instanceof AppError && error.code));
	}
	await bed.clock.settle();
	expect(codes).toEqual(["rate-limited"]);
	await bed.clock.advance(2 * GIVE_UP_MS);
	expect([codes.length, await outcome(bed)]).toEqual([MAX_UNDER_WAY + 1, "host-unreachable"]);
});

test("[FL83] whatever bytes come as a command, nothing runs and nothing throws", async () => {
	const bed = createCommandBed();
	const subject = subjects.command(bed.fleet, bed.owner.keys.host);
	const body = fc.oneof(
		fc.uint8Array(),
		fc.json().map((text) => Buffer.from(text)),
	);
	await fc.assert(
		fc.asyncProperty(body, fc.boolean(), async (bytes, isSealed) => {
			const from = bed.console.keys.host;
			bed.bus.publish(subject, isSealed ? bed.sealer.seal({ context: subject, from, body: bytes }) : bytes);
			await bed.clock.advance(1);
		}),
	);
	expect([bed.owner.ran.length, bed.owner.refused.length]).toEqual([0, 100]);
});
