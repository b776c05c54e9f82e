import { readFileSync } from "node:fs";
import { withCommandLine } from "../processes.ts";

/** Linux counts processor time in hundredths of a second. */
const TICK_MS = 10;

/** Processor time of a process so far, all threads, in milliseconds; 0 where there is no /proc. */
export function cpuMsOf(pid: number): number {
	try {
		const text = readFileSync(`/proc/${pid}/stat`, "utf8");
		// The name of the program, in brackets, may have spaces.
		const fields = text.slice(text.lastIndexOf(")") + 2).split(" ");
		return (Number(fields[11]) + Number(fields[12])) * TICK_MS;
	} catch {
		return 0;
	}
}

/** The server whose files lie in this folder. */
export const natsPid = (folder: string): number => withCommandLine(`${folder}/nats.conf`)[0] ?? 0;
