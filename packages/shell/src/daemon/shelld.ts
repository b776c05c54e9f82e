import { loadNative } from "../process/native.ts";
import { createProcesses } from "../process/processes.ts";
import { endMarked } from "./end-marked.ts";
import { createHost, type Host } from "./host.ts";
import { type FromShelld, isToShelld } from "./shelld-protocol.ts";

/**
 * The shell process: small, so that starting commands is cheap, and apart, so that their output never delays the server.
 * When the server is gone, however it ended, everything that runs here is ended too, and what the server had marked as its own.
 */
async function main(): Promise<void> {
	const native = await loadNative();
	let host: Host | undefined;
	let marks: string | undefined;
	let closing = false;

	function send(message: FromShelld): void {
		if (process.connected) process.send?.(message, undefined, undefined, () => undefined);
	}
	/** A server that closes ends what it started by itself; one that is gone cannot. */
	async function endOwnOfServer(): Promise<void> {
		if (!process.connected && marks !== undefined) await endMarked(marks, createProcesses());
	}
	async function close(): Promise<void> {
		if (closing) return;
		closing = true;
		await Promise.all([host?.close(), endOwnOfServer()]);
		// It may have died while it closed.
		await endOwnOfServer();
		process.exit(0);
	}

	// The server decides when it is over; a signal to the whole group must not end its commands before their time.
	for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(signal, () => undefined);
	process.on("disconnect", () => void close());
	process.on("message", (message) => {
		if (!isToShelld(message)) return;
		if (message.kind === "init") {
			marks = message.marks;
			host = createHost({ ...message, native, send });
		} else if (message.kind === "close") void close();
		else host?.handle(message);
	});
	if (!process.connected) await close();
	send({ kind: "ready" });
}

void main();
