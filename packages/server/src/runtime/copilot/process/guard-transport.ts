import { ChildProcess } from "node:child_process";
import type { CopilotClient } from "@github/copilot-sdk";
import { AppError } from "../../../core/kernel/errors.ts";

/**
 * The SDK leaves a rejection that nobody handles whenever it cannot write to its runtime, which would end this process: when the
 * program cannot be executed, and in the moment after it died. Its writer can be told to swallow such errors; the requests then
 * stay open, and our own limits and the supervisor end them. `onProcess` is called with every process that it starts, at once.
 */
export function guardTransport(client: CopilotClient, onProcess: (child: ChildProcess) => void = () => undefined): CopilotClient {
	let failSpawn: (error: Error) => void = () => undefined;
	onAssignment(client, "messageWriter", (writer) => {
		if (typeof writer === "object" && writer !== null && "suppressWriteErrors" in writer) writer.suppressWriteErrors = true;
	});
	onAssignment(client, "cliProcess", (child) => {
		if (!(child instanceof ChildProcess)) return;
		onProcess(child);
		child.once("error", (error) => failSpawn(error));
		// The SDK says nothing of a death while it starts: the start would last until its limit.
		child.once("exit", (code, signal) => failSpawn(new AppError("runtime-start-failed", `its process ended (${signal ?? code})`)));
	});
	const start = client.start.bind(client);
	client.start = () => {
		const failed = new Promise<never>((_resolve, reject) => {
			failSpawn = reject;
		});
		return Promise.race([start(), failed]);
	};
	return client;
}

/** Sees the values of a private field as they are set; nothing happens if the SDK no longer has it. */
function onAssignment(target: object, field: string, see: (value: unknown) => void) {
	let current: unknown = Reflect.get(target, field);
	Object.defineProperty(target, field, {
		configurable: true,
		enumerable: true,
		get: () => current,
		set(value: unknown) {
			current = value;
			see(value);
		},
	});
}
