import { createHash } from "node:crypto";
import { chmodSync, mkdirSync, readdirSync, rmSync } from "node:fs";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { type Command, type CommandDeps, startCommand } from "../command/command.ts";
import { bashTrouble, findBash } from "../environment/find-bash.ts";
import { loginEnvironment, signalGroup } from "../environment/login-env.ts";
import { createSpills } from "../output/output-files.ts";
import { readJobOutput } from "../output/read-job-output.ts";
import { killTargets, membersOf, type Target } from "../process/kill.ts";
import { launch } from "../process/launch.ts";
import type { Native } from "../process/native.ts";
import { createOrphans } from "../process/orphans.ts";
import { listeningPorts } from "../process/ports.ts";
import { createProcesses, startTime } from "../process/processes.ts";
import { ShellUnavailable } from "../process/shell-unavailable.ts";
import {
	conversationDirectory,
	conversationsDirectory,
	NO_CONVERSATION,
	runDirectory,
	shellDirectory,
} from "../state/conversation-directory.ts";
import { createStateStore } from "../state/state-store.ts";
import type { FromShelld, RunRequest, ToShelld } from "./shelld-protocol.ts";

/** Everything that the shell process does, behind the messages that it gets. */
export interface Host {
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
const WATCH_TAIL_CHARS = 1_000;
const SWEEP_MS = 6 * 3_600_000;
const REAP_MS = 200;

export function createHost(deps: HostDeps): Host {
	const { home, native, send } = deps;
	const own = `${createHash("sha256").update(home).digest("hex").slice(0, 12)}.${process.pid}.${startTime(process.pid) ?? "0"}`;
	const directory = (conversation: string) => conversationDirectory(home, conversation);
	prepareDirectories(home);
	const processes = createProcesses();
	const states = createStateStore(directory);
	const spills = createSpills(conversationsDirectory(home), directory);
	const started = new Set<number>();
	const commands = new Map<string, Command>();
	const targets = () => [...commands.values()].flatMap((command) => command.target ?? []);
	const orphans = createOrphans({ native, started, targets });
	const tag = (key: string) => `${own}.${key}`;
	const lastWatch = new Map<string, string>();

	const login = loginEnvironment({ env: deps.env, secrets: deps.secrets, started });
	const bash = login.then(async (found) => {
		const shell = await findBash(found.PATH ?? "");
		const trouble = bashTrouble(shell);
		if (shell === undefined || trouble !== undefined) throw new ShellUnavailable(trouble ?? "No bash was found.");
		return shell.path;
	});
	// Each command will say so itself.
	bash.catch(() => undefined);
	const env = login.then(async (found) => {
		states.setBase(await bash.then((path) => freshState(found, path)).catch(() => new Map()));
		return found;
	});

	/** What a shell looks like that nobody has changed, to tell later what a command did change. */
	const freshState = (found: Record<string, string>, path: string) =>
		new Promise<ReadonlyMap<string, string>>((resolve) => {
			try {
				const shell = launch({
					key: "base",
					command: ":",
					directories: ["/"],
					bash: path,
					env: found,
					tag: tag("base"),
					runDirectory: runDirectory(home),
					restore: null,
					native,
					started,
				});
				shell.onExit(() => {
					const snapshot = shell.takeSnapshot();
					resolve(typeof snapshot === "object" ? snapshot.state : new Map());
				});
			} catch {
				// Each command will say so itself.
				resolve(new Map());
			}
		});

	const run = (request: RunRequest) => {
		const commandDeps: CommandDeps = {
			env,
			bash,
			runDirectory: runDirectory(home),
			tag,
			native,
			started,
			processes,
			states,
			send,
			orphans: () => orphans,
			openSpill: () => spills.open(request.conversation ?? NO_CONVERSATION, request.key),
			onEnded() {
				const command = commands.get(request.key);
				// The output of a job can be asked for later; of any other command it was sent with its end.
				if (command !== undefined && !command.inBackground) commands.delete(request.key);
			},
		};
		commands.set(request.key, startCommand(request, commandDeps));
	};

	const readOutput = async (message: Extract<ToShelld, { kind: "output" }>) => {
		const command = commands.get(message.key);
		if (command === undefined) return { ok: false, text: "" };
		const { output } = command;
		return readJobOutput(output, message);
	};

	const forget = async (conversation: string) => {
		const mine = [...commands].filter(([, command]) => command.request.conversation === conversation);
		await Promise.all(mine.map(([, command]) => command.kill("killed")));
		for (const [key] of mine) commands.delete(key);
		states.reset(conversation);
		spills.forget(conversation);
		// Not at once: a folder may hold thousands of files, and commands go on meanwhile.
		await rm(directory(conversation), { recursive: true, force: true });
	};

	const reply = (request: number, work: Promise<{ ok: boolean; text: string }>) => {
		work.then(
			(result) => send({ kind: "reply", request, ...result }),
			(error: unknown) => send({ kind: "reply", request, ok: false, text: error instanceof Error ? error.message : String(error) }),
		);
	};

	/** Ports and newest output of the jobs, and whether what they left behind is still there. */
	const watch = () => {
		const jobs = [...commands].filter(([, command]) => command.inBackground && !command.ended);
		if (jobs.length === 0) return;
		const table = processes.table();
		orphans.claim(table);
		for (const [key, command] of jobs) {
			command.check();
			if (command.target === undefined) continue;
			const ports = listeningPorts(membersOf(command.target, table).map((member) => member.pid));
			const seen = { ports, tail: command.output.tail(WATCH_TAIL_CHARS) };
			const text = JSON.stringify(seen);
			if (lastWatch.get(key) === text) continue;
			lastWatch.set(key, text);
			send({ kind: "watch", key, ...seen });
		}
	};

	let reapTimer: NodeJS.Timeout | undefined;
	const onChildChange = () => {
		reapTimer ??= setTimeout(() => {
			reapTimer = undefined;
			isolated("look for orphans", () => {
				if (orphans.any()) orphans.claim(processes.table());
			});
		}, REAP_MS);
	};
	process.on("SIGCHLD", onChildChange);
	const timers = [setInterval(() => isolated("watch", watch), WATCH_MS), setInterval(() => void spills.sweep(), SWEEP_MS)];
	void spills.sweep();
	void killTargets(abandoned(processes.table(), own), processes, () => undefined);

	const handle = (message: ToShelld) => {
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
				commands.delete(message.key);
				lastWatch.delete(message.key);
				return;
			case "reset":
				states.reset(message.conversation);
				return;
			case "forget":
				reply(
					message.request,
					forget(message.conversation).then(() => ({ ok: true, text: "" })),
				);
				return;
			case "init":
			case "close":
				return;
		}
	};

	return {
		handle: (message) => isolated(`message ${message.kind}`, () => handle(message)),
		async close() {
			for (const timer of timers) clearInterval(timer);
			process.off("SIGCHLD", onChildChange);
			clearTimeout(reapTimer);
			await Promise.all([...commands.values()].map((command) => command.kill("killed")));
			commands.clear();
			// The login shell, if it is still being asked.
			for (const pid of started) signalGroup(pid, "SIGTERM");
			const strays = orphans
				.strays(processes.table())
				.map((entry) => ({ ...entry, tag: `${own}.`, pipe: undefined, settledAt: 0, orphans: new Set<string>() }));
			await killTargets([...strays, ...tagged(processes.table(), (value) => value.startsWith(`${own}.`))], processes, (table) =>
				orphans.claim(table),
			);
		},
	};
}

/** What fails here, for instance because the disk refuses, costs itself and nothing else: everybody's commands run in this process. */
function isolated(what: string, work: () => void): void {
	try {
		work();
	} catch (error) {
		process.stderr.write(`${what} failed: ${error instanceof Error ? error.message : String(error)}\n`);
	}
}

/** Processes whose shell process is gone: a crash left them. */
function abandoned(table: ReadonlyMap<number, { pid: number; tag: string | undefined }>, own: string): Target[] {
	const [home] = own.split(".");
	return tagged(table, (value) => {
		const [itsHome, pid, start] = value.split(".");
		return itsHome === home && startTime(Number(pid)) !== start;
	});
}

function tagged(table: ReadonlyMap<number, { pid: number; tag: string | undefined }>, match: (tag: string) => boolean): Target[] {
	const tags = new Set<string>();
	for (const { tag } of table.values()) if (tag !== undefined && match(tag)) tags.add(tag);
	return [...tags].map((tag) => ({ pid: -1, start: undefined, tag, pipe: undefined, settledAt: 0, orphans: new Set() }));
}

function prepareDirectories(home: string): void {
	for (const path of [shellDirectory(home), conversationsDirectory(home), runDirectory(home)]) {
		mkdirSync(path, { recursive: true, mode: 0o700 });
		chmodSync(path, 0o700);
	}
	// Files of commands that a crash interrupted.
	for (const name of readdirSync(runDirectory(home))) rmSync(join(runDirectory(home), name), { force: true });
}
