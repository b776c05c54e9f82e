import { parentPort, workerData } from "node:worker_threads";
import { maintain } from "../blobs/maintain.ts";
import { createPackStore } from "../blobs/pack-store.ts";
import { openIndex } from "../index/open-index.ts";
import type { OwnFiles } from "../paths/own-files.ts";
import type { Undoing } from "../undo/undo-changes.ts";
import { answerAtDesk } from "./desk.ts";
import { createRootThread } from "./root-thread.ts";
import { type Answer, type Ask, isToTrackerd } from "./tracker-protocol.ts";

/** What a thread is started with. Without a root it is the desk: it answers from the index and never looks at anybody's files. */
export interface ThreadData {
	home: string;
	root?: string;
	refused: boolean;
	own: OwnFiles;
	/** See `RootThreadDeps`. */
	undoing?: Undoing;
	/** Counts folders that answered; the process sees it without asking. */
	progress: SharedArrayBuffer;
}

async function main({ home, root, refused, own, undoing, progress }: ThreadData): Promise<void> {
	const { index } = openIndex(home);
	const blobs = createPackStore({ home, index });
	const counter = new Int32Array(progress);
	const count = () => void Atomics.add(counter, 0, 1);
	const thread = root === undefined ? undefined : await createRootThread({ root, refused, own, index, blobs, undoing, progress: count });
	const answer = (ask: Ask): Answer | Promise<Answer> => {
		if (thread !== undefined) return thread.answer(ask);
		return ask.kind === "maintain" ? tidy() : answerAtDesk(index, blobs, ask);
	};
	async function tidy(): Promise<Answer> {
		await maintain({ home, index, blobs, now: Date.now(), pause: () => new Promise((resolve) => setImmediate(resolve)) });
		return { kind: "done" };
	}

	parentPort?.on("message", (message) => {
		if (!isToTrackerd(message)) return;
		if (message.kind === "ask") void reply(message.request, async () => answer(message.ask));
		if (message.kind !== "close") return;
		thread?.close();
		blobs.close();
		index.close();
		parentPort?.close();
	});
	parentPort?.postMessage({ kind: "ready" });
}

async function reply(request: number, work: () => Promise<Answer>): Promise<void> {
	const failed = (error: unknown): Answer => ({ kind: "failed", reason: error instanceof Error ? error.message : String(error) });
	parentPort?.postMessage({ kind: "reply", request, answer: await work().catch(failed) });
}

void main(workerData);
