import { conversationId } from "../../../packages/server/src/core/kernel/ids.ts";
import type { Operation } from "../frame/engine.ts";
import { type Life, lastMarker } from "../frame/life.ts";
import { fault, type Step, type StepKind } from "../frame/part.ts";
import { pickBy } from "../frame/plan.ts";
import { messagesOf } from "./examine-forks.ts";
import type { ForkScene, WantedFork } from "./forks-part.ts";

export const FORK_KINDS: readonly StepKind[] = [
	{ name: "fork", weight: 8 },
	{ name: "fork-again", weight: 4 },
	{ name: "fork-slowly", weight: 4 },
	{ name: "fork-and-delete", weight: 2 },
	{ name: "fork-list", weight: 3 },
	fault("fork-death", 6),
	fault("fork-refused", 4),
];

/** More would make rounds long and find nothing else. */
const MAX_FORKS_HERE = 6;
const OPERATIONS: readonly (Operation | "any")[] = ["any", "commit", "commit", "write", "begin"];

type Play = (step: Step) => void | Promise<void>;

/** People who go on from somewhere in a conversation, and what happens to the server meanwhile. */
export function forkSteps(scene: ForkScene): Record<string, Play> {
	const { world } = scene;

	function fork(step: Step): WantedFork | undefined {
		const life = scene.life();
		if (life === undefined || scene.wanted.length >= MAX_FORKS_HERE) return undefined;
		const there = life.conversations.list({ limit: 100 }).conversations.map(({ id }) => id);
		const source = pickBy(there.filter((id) => !world.ledger.deleted.has(id)).sort(), step.a);
		if (source === undefined) return undefined;
		return forkFrom(step, source, step.b < 0.4 ? undefined : pickBy(messagesOf(life, source), (step.b * 10) % 1)?.id);
	}
	function forkFrom(step: Step, source: string, before?: string): WantedFork {
		const marker = `f${step.at}x`;
		const wanted: WantedFork = {
			...{ marker, source, before, asked: [], acked: undefined },
			prompt: step.c < 0.6 ? `Go on with ${marker}` : undefined,
			clientMessageId: (step.c * 10) % 1 < 0.8 ? `of ${marker}` : undefined,
		};
		scene.wanted.push(wanted);
		scene.ask(wanted);
		return wanted;
	}
	/** A new conversation, in which the agent has answered. */
	async function sourceOf(life: Life, step: Step): Promise<string | undefined> {
		const marker = `p${step.at}x`;
		let made: string | undefined;
		async function say(): Promise<void> {
			const { id } = await life.conversations.create({});
			world.ledger.send({ marker, kind: "prompt", conversationId: id, clientMessageId: undefined });
			life.conversations.prompt({ conversationId: conversationId(id), prompt: `Please do ${marker}`, origin: "api" });
			made = id;
		}
		void say().catch(() => undefined);
		await world.clock.advance(30);
		for (const turn of life.agent.turns) if (lastMarker(turn.input.prompt) === marker) turn.end("completed");
		await world.clock.advance(30);
		return made;
	}
	async function remove(life: Life, id: string): Promise<void> {
		world.ledger.deleted.set(id, false);
		try {
			await life.conversations.delete(conversationId(id));
			await life.opened.store.durable();
			if (life.isAlive()) world.ledger.deleted.set(id, true);
		} catch {
			// It was refused, or the process has died: nobody knows.
			return;
		}
	}
	const forkOrAgain = (step: Step) => void (fork(step) ?? again(step));
	function again(step: Step): void {
		const isThere = (id: string | undefined) => id === undefined || !world.ledger.deleted.has(id);
		const known = scene.wanted.filter(
			({ clientMessageId, source, acked }) => clientMessageId !== undefined && isThere(source) && isThere(acked),
		);
		// Most often it is the last one, of which nothing was heard.
		const wanted = step.c < 0.6 ? known.at(-1) : pickBy(known, step.b);
		if (wanted === undefined || scene.life() === undefined) return;
		world.count("a fork was asked for again");
		scene.ask(wanted);
	}

	return {
		fork: (step) => void fork(step),
		"fork-again": again,
		/** The agent takes its time, or cannot, and the source goes on meanwhile. */
		"fork-slowly"(step) {
			scene.life()?.agent.nextFork(step.a < 0.3 ? "cannot" : step.a < 0.5 ? "fails" : "forks", Math.floor(step.b * 3_000));
			fork({ ...step, a: step.c });
		},
		"fork-list"() {
			const life = scene.life();
			const forming = life?.disk.look("SELECT id FROM conversations WHERE forming = 1").map(({ id }) => String(id)) ?? [];
			const shown = life?.conversations.list({ limit: 100 }).conversations.map(({ id }) => id) ?? [];
			for (const id of forming) if (shown.includes(id)) world.violate("fork-whole", `${id} is listed, and not finished`);
		},
		/** One of their own, in which nobody else has said anything that would be gone with it. */
		async "fork-and-delete"(step) {
			const life = scene.life();
			if (life === undefined || scene.wanted.length >= MAX_FORKS_HERE) return;
			const source = await sourceOf(life, step);
			if (source === undefined || !life.isAlive()) return;
			life.agent.nextFork("forks", Math.floor(step.c * 80));
			forkFrom(step, source);
			life.clock.after(Math.floor(step.b * 10), () => void remove(life, source));
			await world.clock.advance(100);
		},
		async "fork-death"(step) {
			const at = pickBy(OPERATIONS, step.b) ?? "any";
			const calls = 1 + Math.floor(step.a ** 2 * (at === "any" ? 30 : 6));
			if (step.b < 0.5) scene.life()?.agent.nextFork("forks", Math.floor(step.c * 20));
			world.host.planDeath({ calls, at, when: step.c < 0.5 ? "before" : "after", isPowerCut: (step.a * 10) % 1 < 0.4 });
			forkOrAgain({ ...step, a: step.c });
			await world.clock.advance(2 + Math.floor(step.c * 40));
		},
		async "fork-refused"(step) {
			world.host.failNext(step.b < 0.5 ? "disk" : "busy", 1 + Math.floor(step.a * 5));
			forkOrAgain({ ...step, a: step.c });
			await world.clock.advance(2 + Math.floor(step.c * 1_500));
		},
	};
}
