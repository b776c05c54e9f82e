import { emptyState, foldConversation, fromSnapshot } from "@rightseat/protocol/fold/conversation";
import { isLogged, type ServerFrame } from "@rightseat/protocol/frames/server";
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type CoreBed, createCoreBed, type Watcher } from "../../../../../test/support/core.ts";
import type { ScriptedTurn } from "../../../../../test/support/scripted-runtime.ts";
import { SEED } from "../../../../../test/support/seed.ts";
import type { ConversationId } from "../kernel/ids.ts";
import type { Store } from "../ports/store.ts";

/** A reader as any client is: it applies the next number of its epoch, asks again on a gap, and takes a snapshot as the truth. */
class Reader {
	epoch: string | undefined;
	lastSeq: number | undefined;
	private state = emptyState();
	private watcher: Watcher | undefined;
	private taken = 0;

	get isAnswering(): boolean {
		return this.state.turn !== undefined;
	}

	get lines(): string[] {
		return this.state.messages.map((message) => `${message.role === "user" ? "user" : "agent"}: ${message.content}`);
	}

	connect(bed: CoreBed, id: ConversationId): void {
		this.watcher = bed.watch(id, { epoch: this.epoch, lastSeq: this.lastSeq });
		this.taken = 0;
	}

	/** The network delivers so many frames; the rest is still under way. */
	receive(count = Number.POSITIVE_INFINITY): void {
		const frames = this.watcher?.frames.slice(this.taken, this.taken + count) ?? [];
		this.taken += frames.length;
		for (const frame of frames) this.apply(frame);
	}

	/** What is under way is lost. */
	drop(): void {
		this.watcher?.close();
		this.watcher = undefined;
	}

	private apply(frame: ServerFrame): void {
		if (frame.type === "copilot:snapshot") this.replace(frame.data);
		if (!isLogged(frame)) return;
		if (frame.data.epoch !== this.epoch || frame.data.seq !== (this.lastSeq ?? 0) + 1) {
			throw new Error(`Event ${frame.data.seq} of ${frame.data.epoch} after ${this.lastSeq} of ${this.epoch}`);
		}
		this.lastSeq = frame.data.seq;
		const before = this.state.turn;
		this.state = foldConversation(this.state, frame);
		if (before !== undefined && this.state.turn !== undefined && this.state.turn.messageId !== before.messageId)
			throw new Error("A turn began while another had no end: what was shown of that one is gone.");
	}

	private replace(data: Extract<ServerFrame, { type: "copilot:snapshot" }>["data"]): void {
		this.epoch = data.epoch;
		this.lastSeq = data.seq;
		this.state = fromSnapshot(data);
	}
}

const step = fc.oneof(
	{ weight: 3, arbitrary: fc.record({ do: fc.constant("prompt" as const), repeat: fc.boolean() }) },
	{ weight: 8, arbitrary: fc.record({ do: fc.constant("text" as const), commit: fc.boolean() }) },
	{ weight: 2, arbitrary: fc.record({ do: fc.constant("retry" as const) }) },
	{ weight: 2, arbitrary: fc.record({ do: fc.constant("end" as const) }) },
	{ weight: 1, arbitrary: fc.record({ do: fc.constant("abort" as const) }) },
	{ weight: 1, arbitrary: fc.record({ do: fc.constant("kill" as const) }) },
	{ weight: 4, arbitrary: fc.record({ do: fc.constant("receive" as const), reader: fc.nat(1), count: fc.nat(6) }) },
	{ weight: 3, arbitrary: fc.record({ do: fc.constant("drop" as const), reader: fc.nat(1) }) },
);
type Step = typeof step extends fc.Arbitrary<infer S> ? S : never;

/** Runs the steps on the real core and store; at the end every reader must show exactly what is stored. */
async function check(steps: Step[], mutate: (store: Store) => void): Promise<void> {
	let bed = await createCoreBed();
	mutate(bed.store);
	const id = await bed.begin();
	const readers = [new Reader(), new Reader()];
	const reconnect = () => {
		for (const reader of readers) {
			reader.drop();
			reader.connect(bed, id);
		}
	};
	reconnect();
	let turn: ScriptedTurn | undefined;
	let attempt = 0;
	let prompts = 0;
	let words = 0;
	const acked = new Set<string>();
	const send = (clientMessageId: string, prompt: string) => {
		bed.conversations.prompt({ conversationId: id, prompt, origin: "web", clientMessageId });
		acked.add(prompt);
	};
	for (const next of steps) {
		switch (next.do) {
			case "prompt":
				if (turn !== undefined && !next.repeat) break;
				if (!next.repeat || prompts === 0) prompts += 1;
				if (turn === undefined || next.repeat) send(`c${prompts}`, `prompt ${prompts}`);
				if (turn === undefined && bed.conversations.active().length > 0) turn = await bed.runtime.nextTurn();
				break;
			case "text":
				words += 1;
				turn?.text(`w${words} `, `m${attempt}`);
				if (next.commit) await bed.clock.advance(60);
				break;
			case "retry":
				turn?.emit({ kind: "message-reset", messageId: `m${attempt}` });
				attempt += 1;
				break;
			case "end":
			case "abort":
				if (next.do === "end") turn?.end();
				else bed.conversations.abort(id);
				await bed.clock.advance(60);
				turn = undefined;
				attempt += 1;
				break;
			case "kill":
				for (const reader of readers) reader.drop();
				bed = bed.afterCrash();
				turn = undefined;
				attempt += 1;
				for (const reader of readers) reader.connect(bed, id);
				break;
			case "receive":
				readers[next.reader]?.receive(next.count);
				break;
			case "drop": {
				const reader = readers[next.reader];
				reader?.drop();
				reader?.connect(bed, id);
				break;
			}
		}
	}
	turn?.end();
	await bed.clock.advance(200);
	const stored = bed.conversations
		.messages(id, { limit: 200 })
		.messages.map((message) => `${message.role === "user" ? "user" : "agent"}: ${message.content}`);
	for (const prompt of acked) expect(stored.filter((line) => line === `user: ${prompt}`)).toHaveLength(1);
	for (const reader of readers) {
		reader.receive();
		expect(reader.lines.slice(-40)).toEqual(stored.slice(-40));
		expect(reader.isAnswering).toBe(false);
	}
	await bed.close();
}

const property = (mutate: (store: Store) => void) =>
	fc.asyncProperty(fc.array(step, { maxLength: 60, size: "max" }), (steps) => check(steps, mutate));

test("[EV14] whatever is cut, killed, repeated or retried, every reader ends with exactly what is stored", async () => {
	await fc.assert(
		property(() => undefined),
		{ numRuns: 60, seed: SEED },
	);
}, 180_000);

describe("the test bites", () => {
	const mutants: Record<string, (store: Store) => void> = {
		"a repeated send is not recognised": (store) => {
			store.messages.findByClientId = () => undefined;
		},
		"a replay leaves its last event out": (store) => {
			const after = store.events.after;
			store.events.after = (id, seq, limit) => after(id, seq, limit).slice(0, -1);
		},
		"a crashed turn is forgotten": (store) => {
			store.turns.open = () => [];
		},
		"a snapshot leaves out the newest message": (store) => {
			const page = store.messages.page;
			store.messages.page = (id, options) =>
				options.limit === 40 ? { messages: page(id, options).messages.slice(0, -1) } : page(id, options);
		},
	};
	for (const [name, mutate] of Object.entries(mutants)) {
		test(`[EV14] it fails when ${name}`, async () => {
			const details = await fc.check(property(mutate), { numRuns: 3_000, endOnFailure: true, seed: SEED });
			expect(details.failed).toBe(true);
		}, 180_000);
	}
});
