import fc from "fast-check";
import { expect, onTestFinished, test } from "vitest";
import { createCoreBed } from "../../../../../../test/support/core.ts";
import { createManualDisk } from "../../../../../../test/support/manual-disk.ts";
import { SEED } from "../../../../../../test/support/seed.ts";
import type { Conversations } from "../../../core/conversations/conversations.ts";
import { AppError } from "../../../core/kernel/errors.ts";
import { silentLogger } from "../../../core/kernel/logger.ts";
import { createEncodeOnce } from "./encode-once.ts";
import { createOutbound } from "./outbound.ts";
import { stuckSocket } from "./stuck-socket-harness.ts";
import { createSubscriptions } from "./subscriptions.ts";

const PIECE = "x".repeat(150_000);

/** One reader on a socket that takes what the test says, of a core whose disk syncs when the test says so. */
async function createBed() {
	const disk = createManualDisk({ keepsCopies: false });
	const core = await createCoreBed({}, disk);
	const id = await core.begin();
	const peer = stuckSocket();
	const { socket, raw, sent } = peer;
	const state = { isGivenUp: false, isStoreBroken: false };
	const outbound = createOutbound({
		...{ socket, raw, clock: core.clock, encode: createEncodeOnce(), account: { add: () => undefined }, logger: silentLogger },
		onSlow() {
			state.isGivenUp = true;
		},
	});
	const conversations: Conversations = {
		...core.conversations,
		subscribe(...args) {
			if (state.isStoreBroken) throw new AppError("storage-busy", "The database is locked.");
			return core.conversations.subscribe(...args);
		},
	};
	const subscriptions = createSubscriptions({ conversations, outbound });

	async function settle(): Promise<void> {
		await core.clock.settle();
		while (disk.busy) {
			disk.finish();
			await core.clock.advance(50);
		}
	}
	return {
		...{ core, disk, id, peer, state, subscriptions, settle },
		async takeAll() {
			do {
				await settle();
				peer.take(Number.MAX_SAFE_INTEGER);
				await settle();
			} while (peer.buffered() > 0);
		},
		/** The last event that the reader has; every frame continues what it has, or is a snapshot. */
		position(): number {
			let seq = 0;
			for (const text of sent) {
				const decoded = JSON.parse(text);
				if (decoded.type === "copilot:snapshot") seq = decoded.data.seq;
				else if (decoded.data.seq !== undefined) expect(decoded.data.seq).toBe(++seq);
			}
			return seq;
		},
		async close() {
			subscriptions.close();
			outbound.close();
			const closing = core.close();
			await settle();
			await closing;
			disk.remove();
		},
	};
}

type Step = "says" | "takes-some" | "takes-all" | "syncs" | "waits";
const STEPS: Step[] = ["says", "says", "says", "says", "says", "takes-some", "takes-all", "syncs", "syncs", "waits"];

test("[EV172] a reader that falls behind, however often, is resumed and ends with every event, once and in order", async () => {
	await fc.assert(
		fc.asyncProperty(fc.array(fc.constantFrom(...STEPS), { minLength: 10, maxLength: 40 }), async (steps) => {
			const bed = await createBed();
			try {
				bed.subscriptions.subscribe(bed.id, {});
				bed.core.conversations.prompt({ conversationId: bed.id, prompt: "Go", origin: "web" });
				await bed.settle();
				const turn = await bed.core.runtime.nextTurn();
				for (const [index, step] of steps.entries()) {
					if (step === "says") turn.text(PIECE, `m${index}`);
					if (step === "takes-some") bed.peer.take(200_000);
					if (step === "takes-all") bed.peer.take(Number.MAX_SAFE_INTEGER);
					if (step === "syncs" && bed.disk.busy) bed.disk.finish();
					await bed.core.clock.advance(step === "waits" ? 60 : 1);
				}
				turn.end();
				await bed.takeAll();
				expect(bed.state.isGivenUp).toBe(false);
				expect(bed.position()).toBe(bed.core.conversations.get(bed.id).headSeq);
			} finally {
				await bed.close();
			}
		}),
		{ numRuns: 12, seed: SEED },
	);
}, 120_000);

test("[EV173] the answer to a subscribe carries its request id also when it had to wait for the disk", async () => {
	const bed = await createBed();
	onTestFinished(() => bed.close());
	bed.core.conversations.prompt({ conversationId: bed.id, prompt: "Go", origin: "web" });
	expect(bed.disk.busy).toBe(true);
	bed.subscriptions.subscribe(bed.id, {}, "r1");
	expect(bed.peer.sent).toEqual([]);
	await bed.settle();
	const answers = bed.peer.sent.map((text) => JSON.parse(text)).filter(({ type }) => /snapshot|stream-status/.test(type));
	expect(answers.slice(0, 2).map(({ type, requestId }) => [type, requestId])).toEqual([
		["copilot:stream-status", "r1"],
		["copilot:snapshot", "r1"],
	]);
});

test("[EV174] a reader whose missed events cannot be read is ended, not left believing that nothing happened", async () => {
	const bed = await createBed();
	onTestFinished(() => bed.close());
	bed.subscriptions.subscribe(bed.id, {});
	bed.core.conversations.prompt({ conversationId: bed.id, prompt: "Go", origin: "web" });
	await bed.settle();
	const turn = await bed.core.runtime.nextTurn();
	for (let piece = 0; piece < 12; piece += 1) turn.text(PIECE, `m${piece}`);
	await bed.settle();
	bed.state.isStoreBroken = true;
	bed.peer.take(Number.MAX_SAFE_INTEGER);
	expect(bed.state.isGivenUp).toBe(true);
});
