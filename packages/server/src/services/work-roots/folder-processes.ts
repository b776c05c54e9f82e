import type { Clock } from "../../core/kernel/clock.ts";
import type { Logger } from "../../core/kernel/logger.ts";
import { createProcessSupervisor, type RestartPolicy } from "../../core/kernel/supervision.ts";
import type { FolderReply, FolderRequest } from "./folder-protocol.ts";

/** A process that looks at folders; see `fork-folder-process.ts`. */
export interface FolderProcess {
	send(request: FolderRequest): void;
	kill(): void;
}
export interface FolderProcessListener {
	reply(reply: FolderReply): void;
	/** It is gone, however it ended. */
	exit(): void;
}

export interface FolderProcessesDeps {
	clock: Clock;
	logger: Logger;
	start(listener: FolderProcessListener): FolderProcess;
	onReply(reply: FolderReply): void;
	/** A process runs, and knows nothing of what was sent before. */
	onStart(): void;
	/** None can be started, because too many that were killed are still there. */
	onRefused(): void;
}

/** The folder process of now, and those that were killed and have not gone yet. */
export interface FolderProcesses {
	/** Starts a process if none runs. What cannot be sent now is asked for again with `onStart`. */
	send(request: FolderRequest): void;
	/** Kills the process; with `again` the next one is started now. */
	drop(reason: string, options: { again: boolean }): void;
	close(): void;
}

/** Processes that were killed and are still there: they wait in the kernel for a mount, and each costs memory. */
export const MAX_DYING = 3;
const POLICY: RestartPolicy = { backoffMs: [0, 200, 1_000, 5_000], windowMs: 60_000 };

export function createFolderProcesses(deps: FolderProcessesDeps): FolderProcesses {
	const { clock, logger } = deps;
	let current: FolderProcess | undefined;
	let dying = 0;
	const supervisor = createProcessSupervisor({ policy: POLICY, clock, start });

	function start() {
		if (dying >= MAX_DYING) {
			supervisor.released();
			return deps.onRefused();
		}
		let gone = false;
		const started: FolderProcess = deps.start({
			reply(reply) {
				if (current === started) deps.onReply(reply);
			},
			exit() {
				if (gone) return;
				gone = true;
				if (current !== started) dying -= 1;
				else {
					current = undefined;
					logger.warn({}, "The folder process ended by itself");
					supervisor.failed("it ended by itself");
				}
			},
		});
		current = started;
		supervisor.started();
		deps.onStart();
	}

	function drop(reason: string, { again }: { again: boolean }) {
		const old = current;
		if (old === undefined) return;
		logger.info({ reason }, "The folder process is let go");
		current = undefined;
		dying += 1;
		old.kill();
		supervisor.released();
		if (again) supervisor.needed();
	}

	return {
		send(request) {
			if (current === undefined) supervisor.needed();
			else current.send(request);
		},
		drop,
		close() {
			drop("the server stops", { again: false });
			supervisor.stop();
		},
	};
}
