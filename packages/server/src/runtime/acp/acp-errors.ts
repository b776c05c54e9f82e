import { AppError } from "../../core/kernel/errors.ts";

/** Why there is no agent to work with, each with the values of its sentence; `name` is the agent's as people read it. */
export const acpErrors = {
	missing: (name: string, program: string, install?: string) =>
		new AppError(
			"agent-missing",
			`${name} is not installed: there is no program ${program}.${install === undefined ? "" : ` Install it with: ${install}`}`,
			{ params: install === undefined ? { reason: "no-program", name, program } : { reason: "install", name, program, install } },
		),
	login: (name: string, command?: string) =>
		new AppError(
			"agent-login",
			command === undefined
				? `${name} is not logged in. Log in with its own program, then send the message again.`
				: `${name} is not logged in. Run this in a terminal: ${command}`,
			{ retryable: true, params: command === undefined ? { reason: "by-itself", name } : { reason: "command", name, command } },
		),
	startFailed: (name: string, because: string) =>
		new AppError("agent-start-failed", `${name} did not start: ${sentence(because)}`, {
			retryable: true,
			params: { name, because: sentence(because) },
		}),
	died: (name: string, because: string) =>
		new AppError(
			"agent-died",
			`${name} ended in the middle of this turn (${because}). Send the message again to go on in the same history.`,
			{
				retryable: true,
				params: { name, because },
			},
		),
	frozen: (name: string, seconds: number) =>
		new AppError("agent-frozen", `${name} gave no sign of life for ${seconds} s and was ended. Send the message again to go on.`, {
			retryable: true,
			params: { name, seconds },
		}),
	protocol: (name: string, because: string) =>
		new AppError("agent-protocol", `${name} does not speak the protocol as we know it: ${sentence(because)}`, {
			params: { reason: "not-understood", name, because: sentence(because) },
		}),
	didNothing: (name: string) =>
		new AppError(
			"agent-protocol",
			`${name} ended this turn without a word and did nothing. Say it in other words; it may take a message that begins with / for a command.`,
			{
				params: { reason: "did-nothing", name },
			},
		),
	resting: (name: string, because: string, minutes: number) =>
		new AppError("agent-resting", `${name} failed again and again and rests for ${minutes} minutes: ${sentence(because)}`, {
			retryable: true,
			params: { name, because: sentence(because), minutes },
		}),
	/** The agent's own words about a failure of its model. */
	said: (name: string, detail: string) =>
		new AppError("provider-error", `${name} could not answer: ${sentence(detail)}`, {
			retryable: true,
			params: { reason: "agent", name, detail: sentence(detail) },
		}),
	closed: () =>
		new AppError("session-failed", "The agent's session was closed. Send the message again.", {
			retryable: true,
			params: { reason: "closed" },
		}),
};

/** How the process of an agent ended, with its last words where they may say why: of what somebody else killed they are any lines of its log. */
export function endReason({ code, signal }: { code: number | null; signal: string | null }, lastWords: string): string {
	const how = signal === null ? `exit code ${code ?? "unknown"}` : `signal ${signal}`;
	return lastWords === "" || (signal !== null && FROM_OUTSIDE.has(signal)) ? how : `${how}: ${lastWords}`;
}

const FROM_OUTSIDE: ReadonlySet<string> = new Set(["SIGKILL", "SIGTERM", "SIGINT", "SIGHUP", "SIGQUIT"]);

const MAX_REASON_CHARS = 400;

function sentence(because: string): string {
	const line = because.toWellFormed().replace(/\s+/g, " ").trim();
	const short = line.length > MAX_REASON_CHARS ? `${line.slice(0, MAX_REASON_CHARS).toWellFormed()}…` : line;
	return short === "" || /[.!?…]$/.test(short) ? short : `${short}.`;
}
