import type { CopilotSession } from "@github/copilot-sdk";
import type { AgentCommand } from "@rightseat/protocol/http/agent-commands";
import type { SetupItem } from "@rightseat/protocol/http/setup";
import { cutText } from "@rightseat/protocol/text";
import type { Clock } from "../../../core/kernel/clock.ts";
import { AppError } from "../../../core/kernel/errors.ts";
import { withTimeout } from "../../../core/kernel/with-timeout.ts";
import type { SessionCommands } from "../../../core/ports/agent-commands.ts";
import { runtimeErrors } from "../process/runtime-errors.ts";

/** The runtime's own commands that people can call: each is a prompt, written by the runtime, and changes nothing by itself. */
const OFFERED: readonly AgentCommand[] = [
	{ name: "init", description: "Write instructions for agents from what is in this repository.", kind: "agent" },
	{ name: "review", description: "Have the changes in the working directory reviewed.", kind: "agent" },
	{ name: "security-review", description: "Look for security holes in the changes.", kind: "agent" },
	{ name: "research", description: "Look into a question thoroughly and write a report.", kind: "agent" },
];
/** Names that the runtime takes for commands of its own, which switch off permissions or change the session behind our back; no skill is called by them. */
const RESERVED: ReadonlySet<string> = new Set(
	[
		"add-dir after agent agents allow-all ask autopilot blame cd changelog chronicle clear compact computer context copy cwd delegate diff env every exit",
		"experimental extensions feedback fleet goal help ide init instructions keep-alive list-dirs login logout loop lsp mcp memory model models new on-air",
		"permissions plan plugin pr quit remote rename research reset reset-allowed-tools restart resume review rewind rubber-duck sandbox search security-review",
		"session sessions settings share sidekicks skills statusline streamer-mode subagents subconscious tasks terminal-setup theme tuikit undo update upgrade",
		"usage user version worktree yolo",
	].flatMap((names) => names.split(" ")),
);
/** Commands that are listed, and what is told of each. */
const MAX_COMMANDS = 200;
const MAX_DESCRIPTION_CHARS = 300;
const LIMIT_MS = 5_000;

type Rpc = Pick<CopilotSession["rpc"]["commands"], "list" | "invoke">;
/** A session that the runtime holds. */
interface Held {
	readonly sdk: { readonly rpc: { readonly commands: Rpc } };
	readonly gone: AbortSignal;
}

/** What a prompt can begin with while no session is open. */
export function commandsWith(skills: readonly SetupItem[]): AgentCommand[] {
	const own = skills.flatMap(({ name, description = "", enabled }) => (enabled && isFree(name) ? [skill(name, description)] : []));
	return [...OFFERED, ...own].slice(0, MAX_COMMANDS);
}

/** The commands of an open session. Nothing that is not listed here ever reaches the runtime as a command. */
export function createSessionCommands(deps: {
	attachment: { attach(): Promise<Held>; peek(): Held | undefined };
	clock: Clock;
}): Required<SessionCommands> {
	const within = <T>(asked: Promise<T>, gone: AbortSignal) =>
		withTimeout(asked, { clock: deps.clock, ms: LIMIT_MS, late: runtimeErrors.noAnswer, gone });

	return {
		async commands() {
			const held = deps.attachment.peek();
			return held === undefined ? undefined : within(offeredBy(held.sdk.rpc.commands), held.gone);
		},
		async expand({ name, input }) {
			const { sdk, gone } = await deps.attachment.attach();
			const { commands } = sdk.rpc;
			const offered = await within(offeredBy(commands), gone);
			if (!offered.some((command) => command.name === name)) return undefined;
			try {
				const result = await within(commands.invoke({ name, input }), gone);
				return result.kind === "agent-prompt" ? result.prompt : undefined;
			} catch (error) {
				// It wants other words behind its name: the model reads what was typed.
				if (error instanceof AppError) throw error;
				return undefined;
			}
		},
	};
}

/** Skills that the session has, and of the runtime's own commands what is on the list. */
async function offeredBy(commands: Pick<Rpc, "list">): Promise<AgentCommand[]> {
	const known = (await commands.list()).commands;
	const own = known.filter(({ kind }) => kind === "builtin").flatMap(({ name, aliases = [] }) => [name, ...aliases]);
	const taken = new Set(own.map((name) => name.toLowerCase()));
	const skills = known.filter(({ kind, name }) => kind === "skill" && isFree(name) && !taken.has(name.toLowerCase()));
	return [...OFFERED.filter(({ name }) => taken.has(name)), ...skills.map(({ name, description }) => skill(name, description))].slice(
		0,
		MAX_COMMANDS,
	);
}

const skill = (name: string, description: string): AgentCommand => ({
	...{ name, description: cutText(description, MAX_DESCRIPTION_CHARS), kind: "skill" },
});

/** The runtime does not tell names by their case. */
const isFree = (name: string) => /^[a-z0-9][\w.:-]{0,99}$/i.test(name) && !RESERVED.has(name.toLowerCase());
