import type { Command } from "../command/command.ts";
import { membersOf } from "../process/kill.ts";
import type { Orphans } from "../process/orphans.ts";
import { listeningPorts } from "../process/ports.ts";
import type { Processes } from "../process/processes.ts";
import type { FromShelld } from "./shelld-protocol.ts";

/** Tells the ports and the newest output of background jobs, and finds out when what they left behind is gone. */
export interface JobWatch {
	/** One look at all of them; while one goes on, another changes nothing. Never rejects. */
	look(): Promise<void>;
	/** The job is no longer kept. */
	forget(key: string): void;
}

export interface JobWatchDeps {
	commands: ReadonlyMap<string, Command>;
	processes: Processes;
	orphans: Orphans;
	send(message: FromShelld): void;
}

const TAIL_CHARS = 1_000;

export function createJobWatch({ commands, processes, orphans, send }: JobWatchDeps): JobWatch {
	const lastSent = new Map<string, string>();
	let looking: Promise<void> | undefined;

	async function lookAt(key: string, command: Command): Promise<void> {
		await command.check();
		if (command.target === undefined) return;
		const ports = await listeningPorts(membersOf(command.target, await processes.table()).map((member) => member.pid));
		const seen = { ports, tail: command.output.tail(TAIL_CHARS) };
		const text = JSON.stringify(seen);
		// It may have ended, and been forgotten, while we looked.
		if (lastSent.get(key) === text || command.ended || !commands.has(key)) return;
		lastSent.set(key, text);
		send({ kind: "watch", key, ...seen });
	}

	async function lookAtAll(): Promise<void> {
		const jobs = [...commands].filter(([, command]) => command.inBackground && !command.ended);
		if (jobs.length === 0) return;
		orphans.claim(await processes.table());
		for (const [key, command] of jobs) await lookAt(key, command);
	}

	return {
		look() {
			looking ??= lookAtAll().finally(() => {
				looking = undefined;
			});
			return looking;
		},
		forget: (key) => void lastSent.delete(key),
	};
}
