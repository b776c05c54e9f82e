import { readFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import type { Ended, Seat, Sent, Talk } from "./seat.ts";

/** One promise of the contract, tried with one agent. Throws when it is broken; a text is a remark; `not for it` means that the agent has no such thing. */
export interface Case {
	name: string;
	run(seat: Seat): Promise<string | undefined>;
}

export const NOT_FOR_IT = "not for it";

export async function waitUntil(holds: () => boolean, otherwise: string): Promise<void> {
	for (let tries = 0; !holds(); tries += 1) {
		check(tries < 600, otherwise);
		await sleep(100);
	}
}

export function commandLine(pid: number): string {
	try {
		return readFileSync(`/proc/${pid}/cmdline`, "utf8").replaceAll("\0", " ");
	} catch {
		return "";
	}
}

export const writeOf = ({ agent }: Seat, file: string): string => `=${agent.write.tool} ${JSON.stringify(agent.write.args(file, "words"))}`;

export async function decide({ ws, id }: Talk, { ended }: Sent, decision: "approve-once" | "reject"): Promise<void> {
	const asked = ws.waitFor("copilot:permission_request");
	asked.catch(() => undefined);
	const first = await Promise.race([asked, ended]);
	if (!("data" in first)) throw new TypeError(`nobody was asked; it said ${JSON.stringify(first.text.slice(0, 300))}`);
	ws.send({ type: "copilot:permission_response", data: { conversationId: id, requestId: first.data.requestId, decision } });
}

export async function stopWithin(talk: Talk, ended: Promise<Ended>, limitMs: number): Promise<string> {
	const at = performance.now();
	talk.stop();
	const turn = await ended;
	const ms = Math.round(performance.now() - at);
	check(ms <= limitMs, `it took ${ms} ms`);
	check(turn.outcome === "aborted", `it ended as ${turn.outcome}`);
	return `${ms} ms`;
}

export function expectOutcome({ outcome, errors, text }: Ended, expected: string): void {
	check(outcome === expected, `it ended as ${outcome}: ${errors.join(" ") || text.slice(0, 200)}`);
}

export function check(holds: boolean, otherwise: string): void {
	if (!holds) throw new TypeError(otherwise);
}

/** Sends this signal to what of them still lives. */
export function signalAll(pids: readonly number[], signal: NodeJS.Signals): void {
	for (const pid of pids) {
		try {
			process.kill(pid, signal);
		} catch (error) {
			// It ended between the look and the signal.
			if (!(error instanceof Error && "code" in error && error.code === "ESRCH")) throw error;
		}
	}
}
