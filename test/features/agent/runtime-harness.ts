import { execFile } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { systemClock } from "../../../packages/server/src/core/kernel/clock.ts";
import { silentLogger } from "../../../packages/server/src/core/kernel/logger.ts";
import type { AgentSession, OpenSession, TurnEvent } from "../../../packages/server/src/core/ports/agent-runtime.ts";
import type { AgentTool } from "../../../packages/server/src/core/ports/agent-tool.ts";
import {
	type CopilotRuntime,
	type CopilotRuntimeDeps,
	createCopilotRuntime,
} from "../../../packages/server/src/runtime/copilot/create-copilot-runtime.ts";
import { runtimeProcess } from "../../../packages/server/src/runtime/copilot/process/client-options.ts";
import { createMarkers } from "../../../packages/server/src/runtime/markers.ts";
import { createLocalFolders } from "../../support/local-folders.ts";

export const PROVIDER_KEY = "secret-key-of-the-provider";

/** The real Copilot runtime with a home of its own. */
export function startRuntime(options: Partial<CopilotRuntimeDeps> & { providerUrl?: string } = {}) {
	const { providerUrl, ...deps } = options;
	const home = mkdtempSync(join(tmpdir(), "rightseat-runtime-"));
	const runtime = createCopilotRuntime({
		home,
		markers: createMarkers(home),
		...(providerUrl === undefined ? {} : { provider: { type: "openai", url: providerUrl, key: PROVIDER_KEY } }),
		folders: createLocalFolders(systemClock),
		clock: systemClock,
		logger: silentLogger,
		env: process.env,
		...deps,
	});
	return {
		home,
		runtime,
		open: (session: Partial<OpenSession> = {}) => runtime.openSession({ ...sessionDefaults(home), ...session }),
		async close() {
			await runtime.close();
			rmSync(home, { recursive: true, force: true });
		},
	};
}

const sessionDefaults = (home: string): OpenSession => ({
	sessionId: "conversation-1",
	previous: null,
	model: "scripted-model",
	cwd: home,
	tools: [],
	settings: () => ({ mode: "agent", effort: "" }),
	onModeLeft: () => undefined,
	mayGoOn: () => true,
	askPlan: async () => ({ approved: true }),
	onLateUsage: () => undefined,
	onTodos: () => undefined,
	form: async () => ({ action: "cancel" }),
	ask: async () => ({ answer: "nobody answered", wasFreeform: true }),
	permit: async () => ({ kind: "approve-once" }),
});

export interface RunningTurn {
	readonly events: TurnEvent[];
	/** The first event, past or future, for which this holds. */
	until(matches: (event: TurnEvent) => boolean): Promise<TurnEvent>;
	/** All events, when the turn is over. */
	readonly done: Promise<TurnEvent[]>;
	stop(): void;
}

export function startTurn(session: AgentSession, prompt: string): RunningTurn {
	const stop = new AbortController();
	const events: TurnEvent[] = [];
	const waiting = new Set<() => void>();
	let over = false;
	async function read() {
		for await (const event of session.run({ prompt, displayPrompt: prompt }, stop.signal)) {
			events.push(event);
			for (const look of waiting) look();
		}
		over = true;
		for (const look of waiting) look();
		return events;
	}
	return {
		events,
		done: read(),
		stop: () => stop.abort(),
		until: (matches) =>
			new Promise((resolve, reject) => {
				const look = () => {
					const found = events.find(matches);
					if (found === undefined && !over) return;
					waiting.delete(look);
					if (found === undefined) reject(new Error(`The turn ended without the event: ${JSON.stringify(events)}`));
					else resolve(found);
				};
				waiting.add(look);
				look();
			}),
	};
}

export const runTurn = (session: AgentSession, prompt: string) => startTurn(session, prompt).done;

/** What a reader has before the eyes at the end: deltas in order, without what was withdrawn. */
export function shownText(events: TurnEvent[]): string {
	const withdrawn = new Set(events.flatMap((event) => (event.kind === "message-reset" ? [event.messageId] : [])));
	return events.map((event) => (event.kind === "text-delta" && !withdrawn.has(event.messageId) ? event.content : "")).join("");
}

export const ofKind = <K extends TurnEvent["kind"]>(events: TurnEvent[], kind: K): Extract<TurnEvent, { kind: K }>[] =>
	events.filter((event): event is Extract<TurnEvent, { kind: K }> => event.kind === kind);

export const lastEvent = (events: TurnEvent[]) => events.at(-1);

export async function runtimePid(runtime: CopilotRuntime): Promise<number> {
	const pid = runtimeProcess(await runtime.getClient())?.pid;
	if (pid === undefined) throw new Error("The runtime has no process.");
	return pid;
}

/** A plain Bash tool, so that these tests need nothing of the shell's own. */
export function bashTool(cwd: string): AgentTool {
	return {
		name: "Bash",
		description: "Runs a command.",
		parameters: { type: "object", properties: { command: { type: "string" } }, required: ["command"] },
		run: (args) =>
			new Promise((resolve) => {
				const command = typeof args === "object" && args !== null && "command" in args ? String(args.command) : "";
				execFile("bash", ["-c", command], { cwd }, (error, stdout, stderr) => resolve({ ok: error === null, text: `${stdout}${stderr}` }));
			}),
	};
}

/** A tool whose calls the test answers itself. */
export function manualTool(name: string) {
	const calls: { args: unknown; signal: AbortSignal; output(text: string): void; answer(text: string, ok?: boolean): void }[] = [];
	let arrived: () => void = () => undefined;
	const tool: AgentTool = {
		name,
		description: `Does ${name}.`,
		parameters: { type: "object", properties: {} },
		run: (args, call) =>
			new Promise((resolve) => {
				calls.push({ args, signal: call.signal, output: call.output, answer: (text, ok = true) => resolve({ ok, text }) });
				arrived();
			}),
	};
	return {
		tool,
		async call(index = 0) {
			while (calls[index] === undefined) {
				await new Promise<void>((resolve) => {
					arrived = resolve;
				});
			}
			const found = calls[index];
			if (found === undefined) throw new Error("unreachable");
			return found;
		},
	};
}
