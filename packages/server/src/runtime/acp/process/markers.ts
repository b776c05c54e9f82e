import { createHash, randomInt } from "node:crypto";

/** Names for the processes of agents: nineteen digits that say whose home, which start of its server, and which agent of that. */
export interface Markers {
	/** Begins every marker of this server. */
	readonly run: string;
	/** One that no other living agent of this server has. */
	next(): string;
}

const HOME_DIGITS = 8;
const RUN_DIGITS = 5;
const AGENT_DIGITS = 5;

/** One for all agents of a server: each has its own number. */
export function createMarkers(home: string): Markers {
	const run = `${markerPrefixOf(home)}${digits(randomInt(10 ** RUN_DIGITS), RUN_DIGITS)}`;
	let agents = 0;
	return {
		run,
		next() {
			agents = (agents + 1) % 10 ** AGENT_DIGITS;
			return `${run}${digits(agents, AGENT_DIGITS)}`;
		},
	};
}

/** Begins the marker of every process that a server of this home starts. */
export function markerPrefixOf(home: string): string {
	const hash = createHash("sha256").update(home).digest().readUInt32BE(0);
	return `4${digits(hash % 10 ** HOME_DIGITS, HOME_DIGITS)}`;
}

const digits = (value: number, length: number) => String(value).padStart(length, "0");
