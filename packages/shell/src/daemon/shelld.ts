import { loadNative } from "../process/native.ts";
import { createHost, type Host } from "./host.ts";
import { type FromShelld, isToShelld } from "./shelld-protocol.ts";

/**
 * The shell process: small, so that starting commands is cheap, and apart, so that their output never delays the server.
 * When the server is gone, however it ended, everything that runs here is ended too.
 */
async function main(): Promise<void> {
	const native = await loadNative();
	let host: Host | undefined;
	let closing = false;

	function send(message: FromShelld): void {
		if (process.connected) process.send?.(message, undefined, undefined, () => undefined);
	}
	async function close(): Promise<void> {
		if (closing) return;
		closing = true;
		await host?.close();
		process.exit(0);
	}

	// The server decides when it is over; a signal to the whole group must not end its commands before their time.
	for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(signal, () => undefined);
	process.on("disconnect", () => void close());
	process.on("message", (message) => {
		if (!isToShelld(message)) return;
		if (message.kind === "init") host = createHost({ ...message, native, send });
		else if (message.kind === "close") void close();
		else host?.handle(message);
	});
	if (!process.connected) await close();
	send({ kind: "ready" });
}

void main();
