import { AppError } from "../../../packages/server/src/core/kernel/errors.ts";
import { conversationId, messageId } from "../../../packages/server/src/core/kernel/ids.ts";
import { SimulatedDeath } from "../frame/engine.ts";
import type { Life } from "../frame/life.ts";
import type { JoinedPart, Part, World } from "../frame/part.ts";
import { beforeCut, checkForks, examineForks } from "./examine-forks.ts";
import { FORK_KINDS, forkSteps } from "./fork-steps.ts";

/** A message as a reader of a conversation sees it. */
export interface SeenMessage {
	readonly id: string;
	readonly role: string;
	readonly content: string;
	readonly isSteered: boolean;
}

/** A fork that somebody has asked for, perhaps several times. */
export interface WantedFork {
	/** In its prompt, and in no other. */
	readonly marker: string;
	readonly source: string;
	readonly before: string | undefined;
	readonly prompt: string | undefined;
	readonly clientMessageId: string | undefined;
	/** What stood before the cut each time that it was asked for. */
	readonly asked: SeenMessage[][];
	/** The conversation that was confirmed. */
	acked: string | undefined;
}

/** What the files of this part share. */
export interface ForkScene {
	readonly world: World;
	/** Of the server that runs now. */
	life(): Life | undefined;
	readonly wanted: WantedFork[];
	/** Asks the server for it, for the first time or again. */
	ask(fork: WantedFork): void;
}

/** Conversations that go on from a message of another one, made by the real service of every process, while the server dies and the source goes on. */
export const forksPart: Part = {
	name: "forks",
	kinds: FORK_KINDS,
	invariants: {
		"fork-kept":
			"A fork that was confirmed is there in every later process, with exactly what its source had before the cut when it was asked for, and with its prompt, until somebody deletes it.",
		"fork-once": "The same fork asked for again is the same conversation, and its prompt reaches the agent at most once.",
		"fork-whole":
			"No list shows a fork that is not finished, and at peace nothing is left of one that failed, on the disk or with the agent.",
	},
	covers: [
		"a fork was made",
		"a fork was asked for again",
		"a fork failed",
		"a fork was left halfway",
		"a fork was made while its source worked",
	],
	joinsEvery: 4,
	join,
};

function join(world: World): JoinedPart {
	const life = () => world.host.life;
	/** Of the process that runs: what a dead one was asked ends nowhere. */
	let asking = new Set<symbol>();
	const scene: ForkScene = {
		world,
		life,
		wanted: [],
		ask(fork) {
			const now = life();
			if (now === undefined) return;
			fork.asked.push(beforeCut(now, fork));
			if (now.conversations.active().includes(conversationId(fork.source))) world.count("a fork was made while its source worked");
			const [here, one] = [asking, Symbol(fork.marker)];
			here.add(one);
			void begin(now, fork)
				.then(async ({ id }) => {
					await now.opened.store.durable();
					if (!now.isAlive()) return;
					world.count("a fork was made");
					if (fork.acked !== undefined && fork.acked !== id)
						world.violate("fork-once", `${fork.marker} was confirmed as ${fork.acked} and then as ${id}`);
					fork.acked = id;
					checkForks(scene, now);
				})
				.catch((error: unknown) => {
					// Whatever a dead process still says, nobody hears.
					if (!now.isAlive() || error instanceof SimulatedDeath) return;
					world.count("a fork failed");
					if (!(error instanceof AppError) || error.code === "internal")
						world.violate("no-surprise", error instanceof Error ? (error.stack ?? error.message) : String(error));
				})
				.finally(() => here.delete(one));
		},
	};
	return {
		play: forkSteps(scene),
		started(host, started) {
			if (host !== world.host) return;
			asking = new Set();
			if (started.disk.look("SELECT 1 FROM conversations WHERE forming = 1").length > 0) world.count("a fork was left halfway");
			checkForks(scene, started);
		},
		// What could not be removed at once is tried again every second.
		rest: () => asking.size === 0 && life()?.disk.look("SELECT 1 FROM conversations WHERE forming = 1").length === 0,
		examine() {
			const now = life();
			if (now === undefined) return;
			checkForks(scene, now);
			examineForks(scene, now);
		},
	};
}

/** In a promise of its own: what it refuses at once is refused like everything else. */
async function begin({ conversations }: Life, { source, before, prompt, clientMessageId }: WantedFork) {
	const request = { before: before === undefined ? undefined : messageId(before), prompt, clientMessageId };
	return await conversations.fork(conversationId(source), request, "api");
}
