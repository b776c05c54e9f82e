import type { ServerFrame } from "@rightseat/protocol/frames/server";
import { createSeqChecker } from "../../support/seq-checker.ts";
import type { TestServer } from "../../support/server.ts";
import { createResilientClient, type ResilientClient } from "../resilient-client.ts";

/** A page on one server of the fleet, and what is known of what it was told. */
export interface FleetPage extends ResilientClient {
	readonly name: string;
	readonly conversationId: string;
	/** Events that came twice, out of order or after a gap, in words. */
	readonly disorder: readonly string[];
	/** When each event came; the newest 20,000. */
	readonly times: readonly number[];
	/** Snapshots that it was given so far. */
	snapshots(): number;
	/** Every frame but the words of answers; the newest 2,000. */
	readonly heard: readonly ServerFrame[];
}

const [MAX_TIMES, MAX_HEARD] = [20_000, 2_000];

export function openPage(options: { name: string; server: () => TestServer; conversationId: string }): FleetPage {
	const { name, server, conversationId } = options;
	const [disorder, times, heard]: [string[], number[], ServerFrame[]] = [[], [], []];
	const checker = createSeqChecker();
	let snapshots = 0;
	const client = createResilientClient({
		url: () => server().url.replace("http", "ws"),
		host: () => new URL(server().url).host,
		token: server().token,
		conversationId,
		onFrame(said) {
			if ("sent" in said) return checker.sent(said.sent);
			const frame = said.received;
			if (frame.type === "copilot:snapshot") snapshots += 1;
			const wrong = checker.received(frame);
			if (wrong !== undefined) disorder.push(wrong);
			if ("data" in frame && frame.data !== null && typeof frame.data === "object" && "seq" in frame.data)
				keep(times, Date.now(), MAX_TIMES);
			if (frame.type !== "copilot:delta") keep(heard, frame, MAX_HEARD);
		},
	});
	return Object.assign(client, { name, conversationId, disorder, times, heard, snapshots: () => snapshots });
}

function keep<T>(list: T[], item: T, most: number): void {
	list.push(item);
	if (list.length > most) list.shift();
}

/** The longest time without an event between two moments. */
export function longestPause(times: readonly number[], from: number, to: number): number {
	const inside = [from, ...times.filter((at) => at > from && at < to), to];
	return Math.max(...inside.slice(1).map((at, index) => at - (inside[index] ?? at)));
}
