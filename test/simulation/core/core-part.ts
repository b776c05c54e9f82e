import type { ScriptedCommand } from "../../support/scripted-shell.ts";
import type { Life } from "../frame/life.ts";
import type { JoinedPart, Part, World } from "../frame/part.ts";
import { agentSteps } from "./agent-steps.ts";
import { examineAll } from "./examine.ts";
import { checkOpen } from "./examine-open.ts";
import { CORE_INVARIANTS } from "./invariants.ts";
import { checkKept } from "./kept.ts";
import { CORE_KINDS } from "./kinds.ts";
import { machineSteps } from "./machine-steps.ts";
import { peopleSteps } from "./people-steps.ts";
import { planSteps } from "./plan-steps.ts";
import { createReaders } from "./readers.ts";
import { settleAll } from "./settle.ts";

/** What the steps of the core part share. */
export interface CoreScene {
	readonly world: World;
	/** Of the server that runs now. */
	life(): Life | undefined;
	/** Conversations that somebody knows of, oldest first. */
	readonly conversations: string[];
	/** Answers and approvals that the agent acted on, as a part of their event, by what was asked. */
	readonly heard: Map<string, string>;
	/** Commands that have ended. */
	readonly finished: Set<ScriptedCommand>;
	roundsWithoutStorage: number;
	/** Watches this conversation from now on. */
	follow(conversationId: string): void;
}

/** People who speak to core directly, the agent, the shell, and everything that can happen to a machine. */
export const corePart: Part = {
	name: "core",
	kinds: CORE_KINDS,
	invariants: CORE_INVARIANTS,
	covers: [
		...["died before a commit", "died after a commit", "died before a write", "died while starting", "stopped in order"],
		...["SQLite said busy", "SQLite said disk", "a turn was recovered", "a command was lost", "a new epoch", "a prompt was queued"],
		...["a start on a disk that refuses", "a turn was left open by a start", "a command was left open by a start"],
		...["a prompt was steered", "a prompt was repeated", "a question was answered", "a permission was decided"],
		...["a queue was resumed", "a prompt was taken back", "a question was answered while the disk refused"],
		...["a plan was decided", "a form was filled in"],
		...["a conversation was in doubt", "somebody came while the disk refused"],
	],
	join,
};

function join(world: World): JoinedPart {
	const host = world.addHost({ name: "desk" });
	const readers = createReaders(world);
	const scene: CoreScene = {
		world,
		life: () => host.life,
		conversations: [],
		heard: new Map(),
		finished: new Set(),
		roundsWithoutStorage: 0,
		follow(id) {
			if (!scene.conversations.includes(id)) scene.conversations.push(id);
			if (host.life !== undefined) readers.follow(host.life, id);
		},
	};
	const agent = agentSteps(scene);
	return {
		play: { ...peopleSteps(scene, agent), ...agent, ...planSteps(scene), ...machineSteps(scene) },
		async begin() {
			await createFirst(scene);
		},
		started(which, life) {
			if (which !== host) return;
			checkKept(scene, life);
			countLeftOpen(scene, life);
			readers.began(life);
			for (const id of scene.conversations) readers.follow(life, id);
		},
		ended(which) {
			if (which === host) readers.ended();
		},
		check() {
			readers.check();
			checkOpen(scene);
		},
		rest: () => settleAll(scene),
		examine: () => examineAll(scene),
	};
}

/** What its start could not settle, because the disk refused. */
function countLeftOpen({ world }: CoreScene, life: Life): void {
	if (life.opened.health().state === "ok") return;
	world.count("a start on a disk that refuses");
	if (life.disk.look("SELECT 1 FROM open_turns").length > 0) world.count("a turn was left open by a start");
	if (life.disk.look("SELECT 1 FROM commands WHERE ended_at IS NULL").length > 0) world.count("a command was left open by a start");
}

async function createFirst(scene: CoreScene): Promise<void> {
	const life = scene.life();
	if (life === undefined) return;
	const creating = life.conversations.create({});
	await scene.world.settle();
	scene.follow((await creating).id);
	await scene.world.settle();
}
