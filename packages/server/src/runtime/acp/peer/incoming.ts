import type { Readable } from "node:stream";
import type { Clock } from "../../../core/kernel/clock.ts";
import type { MemoryAccount } from "../../../core/kernel/memory-ledger.ts";
import { type Message, messageOf, readMessage } from "../../../mcp/message.ts";
import { createLargeLineThread } from "./large-line-thread.ts";
import { createLineReader } from "./line-reader.ts";
import type { LargeLine } from "./read-large-line.ts";

/** Makes messages of what an agent writes, in order. A large line is read elsewhere, and what follows it waits in the pipe. */
export interface Incoming {
	/** A reader that is behind: nothing is read until it is called with false. */
	hold(isHeld: boolean): void;
	/** Nothing is read now: for a reader that is behind, or until a large line is understood. */
	readonly isHeld: boolean;
	/** When the last byte came, by the clock's `elapsed`. */
	readonly heardAt: number;
	/** Resolves when every line that has come is understood. */
	settled(): Promise<void>;
	/** No message comes after it, and what still comes is thrown away. */
	close(): void;
}

export interface IncomingDeps {
	input: Readable;
	clock: Clock;
	/** Counts what has come and is not understood yet. */
	account?: Pick<MemoryAccount, "add"> | undefined;
	maxLineBytes?: number | undefined;
	onMessage(message: Message): void;
	/** A message held so much that some of it was left out. */
	onCut?: (() => void) | undefined;
	onBroken(because: string): void;
}

export function createIncoming(deps: IncomingDeps): Incoming {
	const { input, clock } = deps;
	const thread = createLargeLineThread(clock);
	let heardAt = clock.elapsed();
	let isBehind = false;
	let isBusy = false;
	let isClosed = false;
	let idle: (() => void)[] = [];
	/** Of the large line that is read elsewhere. */
	let largeBytes = 0;
	let counted = 0;
	const lines = createLineReader({
		...(deps.maxLineBytes === undefined ? {} : { maxBytes: deps.maxLineBytes }),
		onLine: (line) => deliver(readMessage(line)),
		large: {
			part(bytes) {
				if (isClosed) return;
				largeBytes += bytes.length;
				thread.part(bytes);
			},
			drop() {
				largeBytes = 0;
				thread.drop();
			},
			end: () => void readLarge(),
		},
		onTooLong: () => deps.onBroken("one line was longer than 32 MB"),
	});
	input.on("data", onData);
	// The process says how it ended; a broken pipe adds nothing to that.
	input.on("error", () => undefined);

	function onData(bytes: Uint8Array): void {
		heardAt = clock.elapsed();
		lines.push(bytes);
		count();
	}

	function count(): void {
		const bytes = isClosed ? 0 : lines.waiting + largeBytes;
		if (bytes === counted) return;
		deps.account?.add(bytes - counted);
		counted = bytes;
	}

	function deliver(message: Message): void {
		if (!isClosed) deps.onMessage(message);
	}

	async function readLarge(): Promise<void> {
		if (isClosed) return;
		isBusy = true;
		flow();
		const line = await thread.end();
		if (!isClosed) take(line);
		// Whoever heard of it may have closed us.
		if (isClosed) return;
		isBusy = false;
		largeBytes = 0;
		lines.goOn();
		count();
		flow();
		tellIdle();
	}

	function take(line: LargeLine): void {
		switch (line.kind) {
			case "read":
				if (line.isCut) deps.onCut?.();
				deliver(messageOf(line.value));
				return;
			case "too-many":
				deps.onBroken("one message had more than 500,000 values");
				return;
			case "failed":
				deps.onBroken("one message was too large to be read");
		}
	}

	function flow(): void {
		if (isClosed) return;
		if (isBehind || isBusy) input.pause();
		else input.resume();
	}

	/** Not before what came after a large line is read, too. */
	function tellIdle(): void {
		if (isBusy) return;
		for (const done of idle) done();
		idle = [];
	}

	return {
		hold(hold) {
			if (isBehind === hold) return;
			isBehind = hold;
			flow();
		},
		get isHeld() {
			return isBehind || isBusy;
		},
		get heardAt() {
			return heardAt;
		},
		settled: () => (isBusy ? new Promise((resolve) => idle.push(resolve)) : Promise.resolve()),
		close() {
			isClosed = true;
			isBusy = false;
			count();
			thread.close();
			input.off("data", onData);
			// A pipe that nobody reads would keep its writer waiting.
			input.resume();
			tellIdle();
		},
	};
}
