import { createHash, randomInt } from "node:crypto";
import { loadMarking, type Marking } from "@rightseat/shell/process/process-mark";

/** Names for the processes of agents: nineteen digits that say whose home, which start of its server, and which agent of that. */
export interface Markers {
	/** Begins every marker of this server. */
	readonly run: string;
	/** One that no other living agent of this server has. */
	next(): Promise<Mark>;
}

/** What one agent, and all that comes of it, is found by. */
export interface Mark {
	readonly marker: string;
	/** Runs `start`, and marks the process that it starts where that is possible. */
	start<T>(start: () => T): T;
	/** Marks a process that somebody else has just started: what it starts later is marked as well. */
	put(pid: number): void;
}

/** Stands in the environment of every process of an agent, and of whatever those start: by it they are found where there are no marks. */
export const MARKER_VARIABLE = "RIGHTSEAT_AGENT_RUN";

const HOME_DIGITS = 8;
const RUN_DIGITS = 5;
const AGENT_DIGITS = 5;

/** One for all agents of a server: each has its own number. */
export function createMarkers(home: string): Markers {
	const run = `${markerPrefixOf(home)}${digits(randomInt(10 ** RUN_DIGITS), RUN_DIGITS)}`;
	let agents = 0;
	/** Once for the server: what the native library sets up for a call is never given back. */
	let marking: Promise<Marking | undefined> | undefined;
	return {
		run,
		async next() {
			agents = (agents + 1) % 10 ** AGENT_DIGITS;
			const marker = `${run}${digits(agents, AGENT_DIGITS)}`;
			marking ??= loadMarking();
			const found = await marking;
			return {
				marker,
				start: (start) => (found === undefined ? start() : found.marked(marker, start)),
				put: (pid) => found?.put(marker, pid),
			};
		},
	};
}

/** Begins the marker of every process that a server of this home starts. */
export function markerPrefixOf(home: string): string {
	const hash = createHash("sha256").update(home).digest().readUInt32BE(0);
	return `4${digits(hash % 10 ** HOME_DIGITS, HOME_DIGITS)}`;
}

const digits = (value: number, length: number) => String(value).padStart(length, "0");
