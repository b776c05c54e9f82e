import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { tidyPacks } from "../blobs/maintain.ts";
import { openIndex, prepareHome } from "../index/open-index.ts";
import { findOwnFiles } from "../paths/own-files.ts";
import { noteInterrupted } from "../steps/open-windows.ts";
import { createHost, type Host } from "./host.ts";
import { createRoots } from "./roots.ts";
import { startThread, type ThreadHandle } from "./thread-handle.ts";
import { type Answer, type FromTrackerd, isToTrackerd, type ToTrackerd } from "./tracker-protocol.ts";
import { createWrittenRoots } from "./undo-in-roots.ts";

/**
 * The recorder's process: apart from the server, so that a large tree or a dead disk never delays it. Its own thread only passes messages on; each root
 * has a thread that may hang without harm to the others.
 */
function main(): void {
	let host: Host | undefined;

	// The threads may wait for a disk that never answers; nothing that counts is in memory only.
	process.on("disconnect", () => process.kill(process.pid, "SIGKILL"));
	for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(signal, () => undefined);
	process.on("message", (message) => {
		if (!isToTrackerd(message)) return;
		if (message.kind === "init") host = open(message);
		else if (message.kind === "close") process.kill(process.pid, "SIGKILL");
		else void reply(host, message);
	});
	send({ kind: "ready" });
}

/** What fails, as on a full disk, costs itself and nothing else. */
async function reply(host: Host | undefined, { request, ask }: Extract<ToTrackerd, { kind: "ask" }>): Promise<void> {
	const failed = (error: unknown): Answer => ({ kind: "failed", reason: error instanceof Error ? error.message : String(error) });
	const answer = await host?.answer(ask).catch(failed);
	if (answer !== undefined) send({ kind: "reply", request, answer });
}

function send(message: FromTrackerd): void {
	if (process.connected) process.send?.(message, undefined, undefined, () => undefined);
}

const SWEEP_MS = 1_000;
/** How often what is no longer needed is removed. */
const MAINTAIN_MS = 60 * 60_000;

function open({ home, excluded }: Extract<ToTrackerd, { kind: "init" }>): Host {
	prepareHome(home);
	const { index, replaced } = openIndex(home);
	if (replaced) process.stderr.write("the index of changes was unusable; it was moved aside and a new one begun\n");
	tidyPacks(home, index);
	noteInterrupted(index);
	const entry = threadEntry();
	const data = { home, own: findOwnFiles([home, ...excluded]) };
	const writing = createWrittenRoots();
	const undoing = (root: string) => ({ here: writing.has(root), anywhere: writing.size > 0 });
	const roots = createRoots({
		start: ({ root, refused }, onEnd) => startThread(entry, { ...data, root, refused, undoing: undoing(root) }, onEnd),
	});
	let thread: ThreadHandle | undefined;
	function desk(): ThreadHandle {
		if (thread === undefined || thread.ended) thread = startThread(entry, { ...data, refused: false }, () => undefined);
		return thread;
	}
	setInterval(roots.sweep, SWEEP_MS).unref();
	setInterval(() => void desk().ask({ kind: "maintain" }).then(complain), MAINTAIN_MS).unref();
	return createHost({ roots, index, desk, writing });
}

function complain(answer: Answer): void {
	if (answer.kind === "failed") process.stderr.write(`old contents could not be removed: ${answer.reason}\n`);
}

/** What the build put beside this file, or the source. */
function threadEntry(): URL {
	const [built, source] = ["./tracker-thread.js", "./tracker-thread.ts"].map((name) => new URL(name, import.meta.url));
	return built !== undefined && existsSync(fileURLToPath(built)) ? built : (source ?? new URL(import.meta.url));
}

main();
