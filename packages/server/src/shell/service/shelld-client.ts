import { type ChildProcess, fork } from "node:child_process";
import { existsSync } from "node:fs";
import { dirname } from "node:path";
import { fileURLToPath } from "node:url";
import { cutText } from "@rightseat/protocol/text";
import { type FromShelld, isFromShelld, type ToShelld } from "@rightseat/shell/daemon/shelld-protocol";
import type { Cancel, Clock } from "../../core/kernel/clock.ts";
import type { Logger } from "../../core/kernel/logger.ts";

/** The server's end of the shell process: keeps one running, and says when one was lost with all it ran. */
export interface ShelldClient {
	/** Waits for the process if it is just starting. False: it will not get there. */
	send(message: ToShelld): boolean;
	/** Undefined when the process was lost before it answered; a refusal when it does not answer in time. */
	request(make: (request: number) => ToShelld): Promise<{ ok: boolean; text: string } | undefined>;
	/** Ends everything; resolves when the process is gone. */
	close(): Promise<void>;
}

export interface ShelldClientDeps {
	home: string;
	/** For commands, and for the process itself: others can read the environment of a parent. */
	env: Record<string, string>;
	secrets: string[];
	logger: Logger;
	clock: Clock;
	shelldPath?: string;
	onMessage(message: FromShelld): void;
	/** The process is gone, and with it everything it knew; the next one is started already. */
	onLost(reason: string): void;
}

const RESTART_DELAYS_MS = [0, 200, 1_000, 5_000];
const START_LIMIT_MS = 30_000;
const STEADY_AFTER_MS = 10_000;
const CLOSE_LIMIT_MS = 9_000;
/** Ending everything of a conversation takes up to 7 s; nothing that is asked takes longer. */
export const REQUEST_LIMIT_MS = 15_000;
/** More than this can not be waiting for a process that starts in a fraction of a second. */
export const MAX_WAITING = 1_000;

export function createShelldClient(deps: ShelldClientDeps): ShelldClient {
	const { logger, clock } = deps;
	const replies = new Map<number, (reply: { ok: boolean; text: string } | undefined) => void>();
	let requests = 0;
	let child: ChildProcess | undefined;
	let ready = false;
	let waiting: ToShelld[] = [];
	let failures = 0;
	let closing = false;
	let closed: () => void = () => undefined;
	let cancelTimer: Cancel = () => undefined;

	const start = () => {
		const path = deps.shelldPath ?? defaultShelldPath();
		const process = fork(path, [], {
			execArgv: path.endsWith(".ts") ? ["--import", "tsx"] : ["--max-old-space-size=256"],
			env: deps.env,
			cwd: dirname(path),
			stdio: ["ignore", "ignore", "pipe", "ipc"],
			// A signal to the server's group is the server's business; it will tell.
			detached: true,
		});
		child = process;
		ready = false;
		process.stderr?.on("data", (chunk: Buffer) =>
			logger.warn({ text: cutText(chunk.toString("utf8"), 2_000) }, "shell process wrote to its log"),
		);
		process.on("message", (message) => {
			if (isFromShelld(message)) receive(message);
		});
		let over = false;
		const end = (reason: string) => {
			if (over) return;
			over = true;
			onEnd(reason);
		};
		process.on("error", (error) => end(error.message));
		process.on("exit", (code, signal) => end(signal ?? `exit code ${code}`));
		cancelTimer = clock.after(START_LIMIT_MS, () => process.kill("SIGKILL"));
	};

	const receive = (message: FromShelld) => {
		if (message.kind === "ready") onReady();
		else if (message.kind === "reply") {
			replies.get(message.request)?.(message);
			replies.delete(message.request);
		} else deliver(message);
	};

	/** One listener that fails must not take the server down. */
	const deliver = (message: FromShelld) => {
		try {
			deps.onMessage(message);
		} catch (error) {
			logger.error({ err: error, kind: message.kind }, "a listener of the shell failed");
		}
	};

	const onReady = () => {
		ready = true;
		cancelTimer();
		cancelTimer = clock.after(STEADY_AFTER_MS, () => {
			failures = 0;
		});
		post({ kind: "init", home: deps.home, env: deps.env, secrets: deps.secrets });
		for (const message of waiting.splice(0)) post(message);
	};

	const post = (message: ToShelld) => {
		child?.send(message, (error) => {
			if (error) logger.debug({ err: error.message }, "shell process did not take a message");
		});
	};

	const send = (message: ToShelld): boolean => {
		if (closing || (!ready && waiting.length >= MAX_WAITING)) return false;
		if (ready) post(message);
		else waiting.push(message);
		return true;
	};

	const onEnd = (reason: string) => {
		cancelTimer();
		child = undefined;
		ready = false;
		for (const resolve of replies.values()) resolve(undefined);
		replies.clear();
		waiting = [];
		if (closing) {
			closed();
			return;
		}
		logger.error({ reason }, "shell process ended; starting another");
		const delay = RESTART_DELAYS_MS[Math.min(failures++, RESTART_DELAYS_MS.length - 1)] ?? 0;
		cancelTimer = clock.after(delay, start);
		deps.onLost(reason);
	};

	start();
	return {
		send,
		request(make) {
			const request = ++requests;
			return new Promise((resolve) => {
				if (!send(make(request))) {
					resolve(undefined);
					return;
				}
				const cancel = clock.after(REQUEST_LIMIT_MS, () => {
					replies.delete(request);
					resolve({ ok: false, text: "The shell process has not answered in time. Try again." });
				});
				replies.set(request, (reply) => {
					cancel();
					resolve(reply);
				});
			});
		},
		async close() {
			closing = true;
			const current = child;
			if (current === undefined) {
				cancelTimer();
				return;
			}
			const gone = new Promise<void>((resolve) => {
				closed = resolve;
			});
			if (ready) post({ kind: "close" });
			else current.kill("SIGKILL");
			const cancel = clock.after(CLOSE_LIMIT_MS, () => current.kill("SIGKILL"));
			await gone;
			cancel();
		},
	};
}

/** The source in its package, or what the build put beside this file. */
function defaultShelldPath(): string {
	const beside = (name: string) => fileURLToPath(new URL(name, import.meta.url));
	return [beside("./shelld.js"), beside("../../../../shell/src/daemon/shelld.ts")].find(existsSync) ?? beside("./shelld.js");
}
