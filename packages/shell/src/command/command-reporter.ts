import type { CommandEnd, FromShelld, RunRequest } from "../daemon/shelld-protocol.ts";
import { HEAD_CHARS, type Output } from "../output/output.ts";
import type { Killed } from "../process/kill.ts";
import type { TakenState } from "../state/take-state.ts";
import type { Exit } from "./command-state.ts";

/** How bash ended, and what it left. */
export interface EndFacts {
	cause: CommandEnd["cause"];
	exit: Exit | undefined;
	/** Its directory never answered. */
	unreachable: boolean;
	taken: TakenState;
	killed: Killed | undefined;
	leftovers: CommandEnd["leftovers"];
}

/** Says to the server how one command goes. */
export interface CommandReporter {
	started(pid: number): void;
	live(text: string): void;
	promoted(): void;
	end(facts: EndFacts): void;
	gone(cause: CommandEnd["cause"], killed: Killed | undefined): void;
}

export function createCommandReporter(request: RunRequest, output: Output, send: (message: FromShelld) => void): CommandReporter {
	const { key } = request;
	const began = performance.now();
	const durationMs = () => Math.round(performance.now() - began);
	return {
		started: (pid) => send({ kind: "started", key, pid }),
		live: (text) => send({ kind: "live", key, text }),
		promoted: () => send({ kind: "promoted", key, output: output.view(request.limit), durationMs: durationMs() }),
		end: (facts) => send({ kind: "end", key, end: describeEnd(request, output, { ...facts, durationMs: durationMs() }) }),
		gone: (cause, killed) => send({ kind: "gone", key, cause, survivors: survivorsOf(killed) }),
	};
}

function describeEnd(request: RunRequest, output: Output, facts: EndFacts & { durationMs: number }): CommandEnd {
	const { exit, taken, killed } = facts;
	const head = request.want === "head" ? output.head(HEAD_CHARS) : undefined;
	const stuck = survivorsOf(killed);
	return {
		cause: facts.cause,
		exitCode: exit?.code ?? null,
		signal: exit?.signal ?? null,
		durationMs: facts.durationMs,
		output: head?.text ?? output.view(request.limit),
		truncated: head?.truncated ?? false,
		cwd: facts.unreachable ? request.fallbackCwd : (taken.cwdAfter ?? (taken.cwd === request.cwd ? null : taken.cwd)),
		leftovers: facts.leftovers,
		notices: stuck === undefined ? taken.notices : [...taken.notices, `These processes could not be ended: ${stuck.join(", ")}.`],
		killed: killed === undefined ? undefined : { processes: killed.processes, forced: killed.forced, survivors: stuck },
	};
}

/** Undefined when everything could be ended. */
function survivorsOf(killed: Killed | undefined): number[] | undefined {
	return killed === undefined || killed.survivors.length === 0 ? undefined : killed.survivors;
}
