import { createHash } from "node:crypto";
import { chmodSync, mkdirSync, readdirSync, rmSync } from "node:fs";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { type Command, startCommand } from "../command/command.ts";
import { signalGroup } from "../environment/login-env.ts";
import { createOutputFiles } from "../output/output-files.ts";
import { readJobOutput } from "../output/read-job-output.ts";
import { killTargets } from "../process/kill.ts";
import type { Native } from "../process/native.ts";
import { createOrphans } from "../process/orphans.ts";
import { createProcesses, startTime } from "../process/processes.ts";
import {
	conversationDirectory,
	conversationsDirectory,
	NO_CONVERSATION,
	runDirectory,
	shellDirectory,
} from "../state/conversation-directory.ts";
import { createStateStore } from "../state/state-store.ts";
import { isolated, isolatedAsync } from "./isolated.ts";
import { createJobWatch } from "./job-watch.ts";
import { leftByCrash, targetsByTag } from "./left-by-crash.ts";
import { createReaper } from "./reaper.ts";
import { findShellBase } from "./shell-base.ts";
import type { FromShelld, RunRequest, ToShelld } from "./shelld-protocol.ts";

/** Everything that the shell process does, behind the messages that it gets. */
export interface Host {
	/** Never throws: what fails costs itself and no other command. */
	handle(message: ToShelld): void;
	/** Ends everything that was ever started here, and resolves when it is gone. */
	close(): Promise<void>;
}

export interface HostDeps {
	home: string;
	env: Record<string, string>;
	secrets: string[];
	native: Native;
	send(message: FromShelld): void;
}

const WATCH_MS = 1_000;
const SWEEP_MS = 6 * 3_600_000;

export function createHost({ home, env, secrets, native, send }: HostDeps): Host {
	const own = `${createHash("sha256").update(home).digest("hex").slice(0, 12)}.${process.pid}.${startTime(process.pid) ?? "0"}`;
	const directory = (conversation: string) => conversationDirectory(home, conversation);
	prepareDirectories(home);
	const processes = createProcesses();
	const states = createStateStore(directory);
	const outputFiles = createOutputFiles(conversationsDirectory(home), directory);
	const started = new Set<number>();
	const commands = new Map<string, Command>();
	const targets = () => [...commands.values()].flatMap((command) => command.target ?? []);
	const orphans = createOrphans({ native, started, targets });
	const watch = createJobWatch({ commands, processes, orphans, send });
	const shell = { runDirectory: runDirectory(home), native, started, states };
	const base = findShellBase({ ...shell, env, secrets, tag: `${own}.base` });

	function run(request: RunRequest): void {
		const command = startCommand(request, {
			...shell,
			...base,
			tag: (key) => `${own}.${key}`,
			processes,
			send,
			orphans: () => orphans,
			openOutputFile: () => outputFiles.open(request.conversation ?? NO_CONVERSATION, request.key),
			onEnded() {
				// The output of a job can be asked for later; of any other command it was sent with its end.
				if (!command.inBackground) commands.delete(request.key);
			},
		});
		commands.set(request.key, command);
	}

	async function readOutput(message: Extract<ToShelld, { kind: "output" }>): Promise<Answer> {
		const command = commands.get(message.key);
		return command === undefined ? { ok: false, text: "" } : readJobOutput(command.output, message);
	}

	async function forget(conversation: string): Promise<Answer> {
		const mine = [...commands].filter(([, command]) => command.request.conversation === conversation);
		await Promise.all(mine.map(([, command]) => command.kill("killed")));
		for (const [key] of mine) drop(key);
		states.reset(conversation);
		outputFiles.forget(conversation);
		// Not at once: a folder may hold thousands of files, and commands go on meanwhile.
		await rm(directory(conversation), { recursive: true, force: true });
		return { ok: true, text: "" };
	}

	function drop(key: string): void {
		commands.delete(key);
		watch.forget(key);
	}

	function reply(request: number, work: Promise<Answer>): void {
		const failed = (error: unknown) => ({ ok: false, text: error instanceof Error ? error.message : String(error) });
		void work.catch(failed).then((answer) => send({ kind: "reply", request, ...answer }));
	}

	function handle(message: ToShelld): void {
		switch (message.kind) {
			case "run":
				run(message);
				return;
			case "kill":
				void commands.get(message.key)?.kill(message.cause);
				return;
			case "output":
				reply(message.request, readOutput(message));
				return;
			case "drop":
				drop(message.key);
				return;
			case "reset":
				states.reset(message.conversation);
				return;
			case "forget":
				reply(message.request, forget(message.conversation));
				return;
			case "plain":
				reply(
					message.request,
					base.env.then(() => ({ ok: states.isPlain(message.conversation), text: "" })),
				);
				return;
			case "init":
			case "close":
				return;
		}
	}

	const reaper = createReaper(async () => {
		if (orphans.any()) orphans.claim(await processes.table(performance.now()));
	});
	const timers = [
		setInterval(() => void isolatedAsync("watch", watch.look), WATCH_MS),
		setInterval(() => void outputFiles.sweep(), SWEEP_MS),
	];
	void outputFiles.sweep();
	void isolatedAsync("end what a crash left", async () =>
		killTargets(leftByCrash(await processes.table(), own), processes, () => undefined),
	);

	return {
		handle: (message) => isolated(`message ${message.kind}`, () => handle(message)),
		async close() {
			for (const timer of timers) clearInterval(timer);
			reaper.stop();
			await Promise.all([...commands.values()].map((command) => command.kill("killed")));
			commands.clear();
			// The login shell, if it is still being asked.
			for (const pid of started) signalGroup(pid, "SIGTERM");
			const table = await processes.table(performance.now());
			const none = { pipe: undefined, settledAt: 0, orphans: new Set<string>() };
			const strays = orphans.strays(table).map((entry) => ({ ...entry, ...none, tag: `${own}.` }));
			const ours = targetsByTag(table, (tag) => tag.startsWith(`${own}.`));
			await killTargets([...strays, ...ours], processes, (seen) => orphans.claim(seen));
		},
	};
}

interface Answer {
	ok: boolean;
	text: string;
}

function prepareDirectories(home: string): void {
	for (const path of [shellDirectory(home), conversationsDirectory(home), runDirectory(home)]) {
		mkdirSync(path, { recursive: true, mode: 0o700 });
		chmodSync(path, 0o700);
	}
	// Files of commands that a crash interrupted.
	for (const name of readdirSync(runDirectory(home))) rmSync(join(runDirectory(home), name), { force: true });
}
