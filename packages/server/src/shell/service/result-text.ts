import { cutText } from "@rightseat/protocol/text";
import type { CommandEnd } from "@rightseat/shell/daemon/shelld-protocol";
import { boundText } from "@rightseat/shell/output/model-text";
import { short } from "../jobs/job-notes.ts";
import type { Outcome } from "./foreground.ts";
import { signalCode } from "./signal-code.ts";

/** What decides how an end is worded. */
interface Ending {
	timeoutMs: number;
	/** The turn was stopped. */
	isStopped(): boolean;
}

/** Everything that the model gets from one call. */
export const MODEL_CHARS = 30_000;
/** The output itself, if it fits; a longer one is cut with room for what we say about it. */
export const OUTPUT_CHARS = MODEL_CHARS;

/** A command's outcome in words for the model: its output, then how it ended. */
export function outcomeText(outcome: Outcome, context: Ending & { command: string; extra: string[] }): { ok: boolean; text: string } {
	switch (outcome.kind) {
		case "ended":
			return {
				ok: outcome.end.cause === "exited" && outcome.end.exitCode === 0,
				text: join(outcome.end.output, [...context.extra, ...endLines(outcome, context)]),
			};
		case "promoted": {
			const id = outcome.job.job.bashId;
			const lines = [
				`[still running after ${seconds(context.timeoutMs)}, now in the background as bash_id ${id}: read it with BashOutput, end it with KillBash. Directory and variables of the shell stay as they were.]`,
			];
			return { ok: true, text: join(outcome.output, [...context.extra, ...lines]) };
		}
		case "lost":
			return {
				ok: false,
				text: `[${short(context.command)} is lost: the shell process failed (${outcome.reason}). Check what the command did, then run it again if needed.]`,
			};
	}
}

function endLines({ end, job, refused }: Extract<Outcome, { kind: "ended" }>, ending: Ending): string[] {
	const lines = [...end.notices.map((notice) => `[${cut(notice, 300)}]`)];
	if (end.leftovers.length > 0) {
		const list = end.leftovers.slice(0, 5).map(({ pid, command }) => `${pid} ${cut(command, 60)}`);
		const more = end.leftovers.length > 5 ? `, and ${end.leftovers.length - 5} more` : "";
		const fate = job === undefined ? `ended: ${refused ?? "too many jobs"}` : `bash_id ${job.job.bashId}`;
		lines.push(`[still running in the background (${fate}): ${list.join(", ")}${more}]`);
	}
	const where = end.cwd === null ? "" : `, now in ${cut(end.cwd, 200)}`;
	lines.push(`[${endingOf(end, ending)}${where}, took ${duration(end.durationMs)}]`);
	return lines;
}

export function endingOf(end: Pick<CommandEnd, "cause" | "exitCode" | "signal" | "killed">, { timeoutMs, isStopped }: Ending): string {
	const tree = end.killed === undefined ? "" : `; ${end.killed.processes} processes ended${end.killed.forced ? " by force" : ""}`;
	if (end.cause === "timed_out")
		return `timed out after ${seconds(timeoutMs)}${tree}. Use a longer timeout, run_in_background or on_timeout "background"`;
	if (end.cause === "killed") return `${isStopped() ? "stopped by the user" : "killed"}${tree}`;
	if (end.signal !== null) return `killed by ${end.signal}, exit code: ${signalCode(end.signal)}`;
	return `exit code: ${end.exitCode}`;
}

function join(output: string, lines: string[]): string {
	const body = output === "" ? "(no output)\n" : output.endsWith("\n") ? output : `${output}\n`;
	const tail = lines.join("\n");
	if (body.length + tail.length <= MODEL_CHARS) return (body + tail).toWellFormed();
	const { text } = boundText({ begin: body, gapChars: 0, end: "" }, MODEL_CHARS - tail.length, "");
	return cutText(`${text}${text.endsWith("\n") ? "" : "\n"}`, MODEL_CHARS - tail.length) + tail;
}

const cut = (text: string, chars: number) => (text.length > chars ? `${cutText(text, chars - 3)}...` : text);
const seconds = (ms: number) => `${Math.round(ms / 100) / 10} s`;
const duration = (ms: number) => (ms < 1_000 ? `${ms} ms` : seconds(ms));
