import type { FromShelld, ToShelld } from "@rightseat/shell/daemon/shelld-protocol";
import type { Cancel, Clock } from "../../core/kernel/clock.ts";
import type { Logger } from "../../core/kernel/logger.ts";
import { createProcessSupervisor, type RestartPolicy } from "../../core/kernel/supervision.ts";
import { forkShelld, type ShelldProcess } from "./fork-shelld.ts";

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
	/** Begins the mark of processes that the shell process ends when this one is gone. */
	marks?: string | undefined;
	logger: Logger;
	clock: Clock;
	shelldPath?: string;
	onMessage(message: FromShelld): void;
	/** The process is gone, and with it everything it knew; the next one is started already. */
	onLost(reason: string): void;
}

const POLICY: RestartPolicy = { backoffMs: [0, 200, 1_000, 5_000], windowMs: 60_000 };
const START_LIMIT_MS = 30_000;
const CLOSE_LIMIT_MS = 9_000;
/** Ending everything of a conversation takes up to 7 s; nothing that is asked takes longer. */
export const REQUEST_LIMIT_MS = 15_000;
/** More than this cannot be waiting for a process that starts in a fraction of a second. */
export const MAX_WAITING = 1_000;
export const MAX_WAITING_BYTES = 8 * 1024 * 1024;

export function createShelldClient(deps: ShelldClientDeps): ShelldClient {
	const { logger, clock, home, env, secrets, marks } = deps;
	const waiting = createWaitingMessages();
	const replies = createReplies(clock);
	let shelld: ShelldProcess | undefined;
	let onGone: () => void = () => undefined;
	let cancelStartLimit: Cancel = () => undefined;
	const supervisor = createProcessSupervisor({ policy: POLICY, clock, start });

	function start() {
		const started = forkShelld({ env, path: deps.shelldPath, logger }, { message: receive, end: onEnd });
		shelld = started;
		cancelStartLimit = clock.after(START_LIMIT_MS, started.kill);
	}

	function receive(message: FromShelld) {
		if (message.kind === "ready") onReady();
		else if (message.kind === "reply") replies.settle(message.request, message);
		else deliver(message);
	}

	/** One listener that fails must not take the server down. */
	function deliver(message: FromShelld) {
		try {
			deps.onMessage(message);
		} catch (error) {
			logger.error({ err: error, kind: message.kind }, "a listener of the shell failed");
		}
	}

	function onReady() {
		cancelStartLimit();
		supervisor.started();
		shelld?.send({ kind: "init", home, env, secrets, marks });
		for (const message of waiting.take()) shelld?.send(message);
	}

	function onEnd(because: string) {
		cancelStartLimit();
		shelld = undefined;
		replies.lose();
		waiting.take();
		if (supervisor.state.at === "stopped") return onGone();
		logger.error({ because }, "shell process ended; starting another");
		supervisor.failed(because);
		deps.onLost(because);
	}

	function send(message: ToShelld): boolean {
		if (supervisor.state.at === "stopped") return false;
		if (supervisor.state.at !== "ready") return waiting.add(message);
		shelld?.send(message);
		return true;
	}

	supervisor.needed();
	return {
		send,
		request: (make) => replies.expect((request) => send(make(request))),
		async close() {
			const wasReady = supervisor.state.at === "ready";
			supervisor.stop();
			const last = shelld;
			if (last === undefined) return;
			const gone = new Promise<void>((resolve) => {
				onGone = resolve;
			});
			if (wasReady) last.send({ kind: "close" });
			else last.kill();
			const cancel = clock.after(CLOSE_LIMIT_MS, last.kill);
			await gone;
			cancel();
		},
	};
}

/** What is sent while the process starts, bounded in number and bytes. */
export function createWaitingMessages() {
	let messages: ToShelld[] = [];
	let bytes = 0;
	return {
		/** False when there is no room. */
		add(message: ToShelld): boolean {
			const size = 2 * JSON.stringify(message).length;
			if (messages.length >= MAX_WAITING || bytes + size > MAX_WAITING_BYTES) return false;
			messages.push(message);
			bytes += size;
			return true;
		},
		take(): ToShelld[] {
			const taken = messages;
			messages = [];
			bytes = 0;
			return taken;
		},
	};
}

type Reply = { ok: boolean; text: string } | undefined;

/** Requests on their way, each with a timeout. */
function createReplies(clock: Clock) {
	const waiting = new Map<number, (reply: Reply) => void>();
	let requests = 0;
	function settle(request: number, reply: Reply) {
		waiting.get(request)?.(reply);
	}
	return {
		settle,
		expect(send: (request: number) => boolean): Promise<Reply> {
			const request = ++requests;
			if (!send(request)) return Promise.resolve(undefined);
			return new Promise((resolve) => {
				const late = { ok: false, text: "The shell process has not answered in time. Try again." };
				const cancel = clock.after(REQUEST_LIMIT_MS, () => settle(request, late));
				waiting.set(request, (reply) => {
					waiting.delete(request);
					cancel();
					resolve(reply);
				});
			});
		},
		/** The process is gone, and with it every answer. */
		lose() {
			for (const request of [...waiting.keys()]) settle(request, undefined);
		},
	};
}
