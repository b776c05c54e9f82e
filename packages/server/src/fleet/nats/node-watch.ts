import type { NatsConnection, Server } from "@nats-io/transport-node";
import type { Clock } from "../../core/kernel/clock.ts";
import type { Line } from "./nats-line.ts";
import { isWorking } from "./node-health.ts";

/** Sees to it that nobody stays at a node that is cut off from the others, and that nobody leaves the only one that is left. */
export interface NodeWatch {
	/** Nodes are judged by the first stream that was named. */
	judgeBy(stream: string): void;
	/** Somebody is not heard here: goes to another node that works, or if this one does not either, to any that can be reached. */
	leaveNode(): Promise<void>;
	close(): void;
}

interface NodeWatchDeps {
	clock: Pick<Clock, "after" | "elapsed">;
	/** Those who look for another node begin at the first one. */
	lines: readonly [Line, ...Line[]];
	/** A connection of its own to one node: that which stands may be the only one there is, and whoever lets go of it for nothing loses words. */
	connect: (server: Server) => Promise<NatsConnection>;
}

const LOOK_MS = 3_000;
/** Until a cluster has chosen who leads it. */
const LOOK_AGAIN_MS = 1_000;
const QUICK_LOOKS = 10;
/** Hosts that all knock at nodes that stay in trouble would be another one. */
const LOOK_SELDOM_MS = 5_000;
/** Hosts that do not hear each other must not go round in circles. From a node that does not work to one that does, there are none. */
const LEAVE_SPACING_MS = 15_000;

export function createNodeWatch({ clock, lines, connect }: NodeWatchDeps): NodeWatch {
	const [line] = lines;
	let isClosed = false;
	let stream: string | undefined;
	let leftAt = Number.NEGATIVE_INFINITY;

	async function stateOf(server: Server): Promise<"works" | "there" | "away"> {
		try {
			const asking = await connect(server);
			try {
				return (await isWorking(asking, stream)) ? "works" : "there";
			} finally {
				await asking.close();
			}
		} catch {
			return "away";
		}
	}
	/** The first of the other nodes that is like this. Hosts that look for each other come to the same one. */
	async function findNode(...wanted: ("works" | "there")[]): Promise<string | undefined> {
		const others = line.others();
		const states = await Promise.all(others.map(stateOf));
		const place = wanted.map((each) => states.indexOf(each)).find((each) => each >= 0);
		return place === undefined ? undefined : others[place]?.listen;
	}
	/** Only from these nodes: a line may have gone to another one meanwhile. */
	function leave(nodes: readonly string[], next: string | undefined): void {
		const leaving = lines.filter((each) => nodes.includes(each.node() ?? ""));
		if (next === undefined || isClosed || leaving.length === 0) return;
		leftAt = clock.elapsed();
		for (const each of leaving) each.leaveNode(next);
	}

	/** The nodes of all lines, each by the first line that is there. A connection that was closed meanwhile, or comes back by itself, is judged when it is back. */
	async function judge(): Promise<{ working: string[]; failing: string[] }> {
		const here = new Map<string, NatsConnection>();
		for (const each of lines.toReversed()) {
			const [node, connection] = [each.node(), each.current()];
			if (node !== undefined && connection !== undefined) here.set(node, connection);
		}
		const judged = await Promise.all(
			[...here].map(async ([node, connection]) => ({ node, works: (await isWorking(connection, stream)) || connection.isClosed() })),
		);
		const nodes = (works: boolean) => judged.filter((each) => each.works === works).map(({ node }) => node);
		return { working: nodes(true), failing: nodes(false) };
	}
	/** The others are asked in the same moment: while a cluster chooses who leads it none of its nodes works, and then all do. */
	async function look(): Promise<void> {
		const isAgain = failures > 0;
		const [{ working, failing }, next] = await Promise.all([judge(), isAgain ? findNode("works") : undefined]);
		if (isAgain) leave(failing, working[0] ?? next);
		failures = failing.length === 0 ? 0 : failures + 1;
		const again = failures > QUICK_LOOKS ? LOOK_SELDOM_MS : LOOK_AGAIN_MS;
		if (!isClosed) cancelLook = clock.after(failures === 0 ? LOOK_MS : again, () => void look());
	}
	/** Looks in a row that found trouble. */
	let failures = 0;
	let cancelLook = clock.after(LOOK_MS, () => void look());

	return {
		judgeBy(name) {
			stream ??= name;
		},
		async leaveNode() {
			if (clock.elapsed() - leftAt < LEAVE_SPACING_MS) return;
			const { working, failing } = await judge();
			leave([...working, ...failing], await (failing.length === 0 ? findNode("works") : findNode("works", "there")));
		},
		close() {
			isClosed = true;
			cancelLook();
		},
	};
}
