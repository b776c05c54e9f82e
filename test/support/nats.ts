import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { findNatsServer } from "../../scripts/lib/nats-server.mjs";
import { freePort } from "./free-port.ts";

/** Without a server the tests that need one are skipped; `npm test` says so, and with CI set it fails. */
export const hasNats = findNatsServer() !== undefined;

/** A real NATS server on loopback. */
export interface TestNats {
	url: string;
	port: number;
	/** Its files, for certificates and the like. */
	folder: string;
	/** What it refused to carry, a line each. */
	violations(): string[];
	/** SIGKILL. */
	kill(): Promise<void>;
	/** SIGSTOP, SIGCONT. */
	freeze(isFrozen: boolean): void;
	/** Reads its configuration again. */
	reload(): void;
	/** After `kill`; on the same port with the same disk. */
	start(): Promise<void>;
	close(): Promise<void>;
}

/** One whose folder with `nats.conf` somebody else has made. */
export async function startMadeNats(folder: string, port: number): Promise<TestNats> {
	return await startIn(folder, port);
}

/** `config` is added to its configuration file; JetStream is on unless told otherwise. */
export async function startNats(options: { config?: string; jetstream?: boolean; files?: Record<string, string> } = {}): Promise<TestNats> {
	const [port, folder] = [await freePort(), mkdtempSync(join(tmpdir(), "rightseat-nats-"))];
	for (const [name, text] of Object.entries(options.files ?? {})) writeFileSync(join(folder, name), text);
	const stored = options.jetstream === false ? "" : `jetstream { store_dir: "${folder}/js" }`;
	writeFileSync(
		join(folder, "nats.conf"),
		`listen: "127.0.0.1:${port}"\n${stored}\n${options.config?.replaceAll("FOLDER", folder) ?? ""}\n`,
	);
	return await startIn(folder, port);
}

async function startIn(folder: string, port: number): Promise<TestNats> {
	const program = findNatsServer();
	if (program === undefined) throw new Error("There is no nats-server here.");
	let child: ChildProcess | undefined;
	const violations: string[] = [];
	const hear = (chunk: Buffer) =>
		violations.push(
			...chunk
				.toString("utf8")
				.split("\n")
				.filter((line) => line.includes("Violation")),
		);
	const nats: TestNats = {
		...{ url: `nats://127.0.0.1:${port}`, port, folder },
		violations: () => violations,
		async start() {
			child = await launchNats(program, folder);
			child.stderr?.on("data", hear);
		},
		async kill() {
			await end(child, "SIGKILL");
			child = undefined;
		},
		reload: () => void child?.kill("SIGHUP"),
		freeze: (isFrozen) => void child?.kill(isFrozen ? "SIGSTOP" : "SIGCONT"),
		async close() {
			await end(child, "SIGKILL");
			rmSync(folder, { recursive: true, force: true });
		},
	};
	await nats.start();
	return nats;
}

/** Runs it with the configuration in the folder, until it is ready. */
export async function launchNats(program: string, folder: string): Promise<ChildProcess> {
	const child = spawn(program, ["-c", join(folder, "nats.conf")], { stdio: ["ignore", "ignore", "pipe"] });
	let said = "";
	await new Promise<void>((resolve, reject) => {
		child.once("exit", (code) => reject(new Error(`nats-server ended with ${code}: ${said}`)));
		child.stderr.on("data", (chunk: Buffer) => {
			said = (said + chunk.toString("utf8")).slice(-4_000);
			if (said.includes("Server is ready")) resolve();
		});
	});
	return child;
}

async function end(child: ChildProcess | undefined, signal: NodeJS.Signals): Promise<void> {
	if (child === undefined || child.exitCode !== null || child.signalCode !== null) return;
	const ended = once(child, "exit");
	child.kill(signal);
	await ended;
}
