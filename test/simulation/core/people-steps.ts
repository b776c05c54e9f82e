import { AppError } from "../../../packages/server/src/core/kernel/errors.ts";
import { type ConversationId, conversationId, execId, messageId } from "../../../packages/server/src/core/kernel/ids.ts";
import { SimulatedDeath } from "../frame/engine.ts";
import type { Life } from "../frame/life.ts";
import type { Sent, Step } from "../frame/part.ts";
import { pickBy } from "../frame/plan.ts";
import type { CoreScene } from "./core-part.ts";

type Play = (step: Step) => void | Promise<void>;

/** People who speak to the server directly, as a program over HTTP does. What it refuses they let be. */
export function peopleSteps(scene: CoreScene, play: Readonly<Record<string, Play>>): Record<string, Play> {
	const { world } = scene;

	/** One that is there, as far as anybody knows. */
	function somewhere(life: Life, number: number): ConversationId | undefined {
		const there = scene.conversations.filter(
			(id) => !world.ledger.deleted.has(id) && life.conversations.find(conversationId(id)) !== undefined,
		);
		const id = pickBy(there, number);
		return id === undefined ? undefined : conversationId(id);
	}
	function onQueued(step: Step, act: (life: Life, id: ConversationId, message: { messageId: string; content: string }) => void): void {
		const life = scene.life();
		const id = life && somewhere(life, step.a);
		if (life === undefined || id === undefined) return;
		tried(scene, () => {
			const item = pickBy(life.conversations.queue(id), step.b);
			if (item !== undefined) act(life, id, item);
		});
	}

	function asked(life: Life | undefined, what: "questions" | "permissions") {
		return scene.conversations.flatMap((given) => {
			const id = conversationId(given);
			if (life?.conversations.find(id) === undefined) return [];
			return life.conversations.pending(id)[what].map(({ requestId }) => ({ conversationId: id, requestId }));
		});
	}
	/** Agents rarely ask in the moment in which a person would answer: one that works asks now. */
	async function askedFirst(step: Step, what: "questions" | "permissions"): Promise<void> {
		if (asked(scene.life(), what).length > 0) return;
		await play[what === "questions" ? "agent-asks" : "agent-wants"]?.(step);
		await world.settle();
	}

	return {
		prompt(step) {
			const life = scene.life();
			const id = life && somewhere(life, step.a);
			if (life === undefined || id === undefined) return;
			const marker = `p${step.at}x`;
			const sent = world.ledger.send({
				...{ marker, kind: "prompt" as const, conversationId: id },
				clientMessageId: step.b < 0.8 ? `of ${marker}` : undefined,
			});
			sendPrompt(scene, life, sent, step.c < 0.35);
		},
		repeat(step) {
			const life = scene.life();
			const known = [...world.ledger.sent.values()].filter((item) => item.clientMessageId?.startsWith("of ") === true);
			// Most often it is the last one, of which nothing was heard.
			const sent = step.c < 0.4 ? known.at(-1) : pickBy(known, step.a);
			if (life === undefined || sent === undefined || life.conversations.find(conversationId(sent.conversationId)) === undefined) return;
			if (sent.kind === "prompt") sendPrompt(scene, life, sent, step.b < 0.2);
			else sendCommand(scene, life, sent);
		},
		command(step) {
			const life = scene.life();
			const id = life && somewhere(life, step.a);
			if (life === undefined || id === undefined) return;
			const marker = `c${step.at}x`;
			const clientMessageId = step.b < 0.8 ? `of ${marker}` : undefined;
			sendCommand(scene, life, world.ledger.send({ marker, kind: "command", conversationId: id, clientMessageId }));
		},
		async "new-conversation"() {
			const life = scene.life();
			if (life === undefined || scene.conversations.length >= 5) return;
			const creating = life.conversations.create({}).then((made) => made.id, refused);
			await world.settle();
			void creating.then((id) => {
				if (id !== undefined && life.isAlive()) void life.opened.store.durable().then(() => life.isAlive() && scene.follow(id), refused);
			});
		},
		"kill-command"(step) {
			const life = scene.life();
			const command = life && pickBy(life.shell.commands, step.a);
			const row = command && life.disk.look("SELECT exec_id FROM commands WHERE command = ?", command.request.command)[0];
			if (row !== undefined) tried(scene, () => void life?.conversations.killExec(execId(String(row.exec_id))));
		},
		"stop-turn"(step) {
			const life = scene.life();
			const id = life && pickBy(life.conversations.active(), step.a);
			if (id !== undefined) tried(scene, () => void life?.conversations.abort(id));
		},
		async answer(step) {
			await askedFirst(step, "questions");
			const life = scene.life();
			const chosen = pickBy(asked(life, "questions"), step.a);
			if (life === undefined || chosen === undefined) return;
			world.count("a question was answered");
			const response = { ...chosen, by: "api" as const };
			tried(scene, () => life.conversations.answer({ ...response, answer: `answer ${step.at}` }));
			if (step.b < 0.3) tried(scene, () => life.conversations.answer({ ...response, answer: "another answer" }));
		},
		/** In the moment in which the disk refuses; what is left waiting then is put to the test by a crash. */
		async "answer-refused"(step) {
			await askedFirst(step, "questions");
			const life = scene.life();
			const chosen = pickBy(asked(life, "questions"), step.a);
			if (life === undefined || chosen === undefined) return;
			world.count("a question was answered while the disk refused");
			world.host.failNext(step.b < 0.5 ? "disk" : "busy", 1 + Math.floor(step.b * 4));
			tried(scene, () => life.conversations.answer({ ...chosen, by: "api", answer: `answer ${step.at}` }));
			await world.clock.advance(Math.floor(step.c * 40));
			if (step.c < 0.6) world.host.kill();
		},
		async decide(step) {
			await askedFirst(step, "permissions");
			const life = scene.life();
			const chosen = pickBy(asked(life, "permissions"), step.a);
			if (life === undefined || chosen === undefined) return;
			world.count("a permission was decided");
			const decision = step.b < 0.5 ? ("approve-once" as const) : step.b < 0.7 ? ("approve-for-session" as const) : ("reject" as const);
			tried(scene, () => life.conversations.decide({ ...chosen, decision, by: "api" }));
		},
		"edit-queued": (step) =>
			onQueued(step, (life, id, item) =>
				life.conversations.editQueued(id, messageId(item.messageId), `Edited ${step.at}: ${item.content}`),
			),
		"move-queued": (step) =>
			onQueued(step, (life, id, item) => life.conversations.moveQueued(id, messageId(item.messageId), Math.floor(step.c * 3))),
		"drop-queued": (step) =>
			onQueued(step, (life, id, item) => {
				const sent = sentAs(scene, item.content);
				// From here on it may be gone, whatever happens to the process.
				if (sent !== undefined) sent.dropped = true;
				life.conversations.dropQueued(id, messageId(item.messageId));
			}),
		"send-now": (step) => onQueued(step, (life, id, item) => life.conversations.sendQueuedNow(id, messageId(item.messageId))),
		"drop-context"(step) {
			const life = scene.life();
			const id = life && somewhere(life, step.a);
			tried(scene, () => {
				const item = id && pickBy(life.conversations.pendingBashContext(id), step.b);
				if (item) life.conversations.dropBashContext(id, messageId(item.messageId));
			});
		},
		"trim-context"(step) {
			const life = scene.life();
			const id = life && somewhere(life, step.a);
			tried(scene, () => {
				const item = id && pickBy(life.conversations.pendingBashContext(id), step.b);
				if (item) life.conversations.trimBashContext(id, messageId(item.messageId), 1 + Math.floor(step.c * 50));
			});
		},
		rename(step) {
			const life = scene.life();
			const id = life && somewhere(life, step.a);
			if (id) void life.conversations.update(id, { title: `Title ${step.at}` }).catch(refused);
		},
		delete(step) {
			const life = scene.life();
			const id = life && somewhere(life, step.a);
			if (!id || scene.conversations.filter((known) => !world.ledger.deleted.has(known)).length < 2) return;
			world.ledger.deleted.set(id, false);
			world.count("a conversation was deleted");
			void life.conversations
				.delete(id)
				.then(() => life.opened.store.durable())
				.then(() => {
					if (life.isAlive()) world.ledger.deleted.set(id, true);
				}, refused);
		},
	};
}

export function sendPrompt(scene: CoreScene, life: Life, sent: Sent, isImmediate: boolean): void {
	const { conversations } = life;
	tried(scene, () => {
		const receipt = conversations.prompt({
			conversationId: conversationId(sent.conversationId),
			prompt: `Please do ${sent.marker}`,
			origin: "api",
			...(sent.clientMessageId === undefined ? {} : { clientMessageId: sent.clientMessageId }),
			...(isImmediate ? { mode: "immediate" as const } : {}),
		});
		if (receipt.duplicate) scene.world.count("a prompt was repeated");
		else if (receipt.delivery !== "started") scene.world.count(`a prompt was ${receipt.delivery}`);
		confirm(scene, life, sent, receipt.messageId);
	});
}

function sendCommand(scene: CoreScene, life: Life, sent: Sent): void {
	tried(scene, () => {
		const { execId: id } = life.conversations.exec({
			conversationId: conversationId(sent.conversationId),
			command: `echo ${sent.marker}`,
			origin: "api",
			...(sent.clientMessageId === undefined ? {} : { clientMessageId: sent.clientMessageId }),
		});
		confirm(scene, life, sent, id);
	});
}

/** The person hears of it when it survives a power cut. */
function confirm({ world }: CoreScene, life: Life, sent: Sent, id: string): void {
	void life.opened.store.durable().then(() => {
		if (life.isAlive()) world.ledger.acked(sent.marker, id);
	}, refused);
}

/** What the server refuses with words of its own is fine; anything else is not. Nobody here sends two things under one id. */
export function tried({ world }: CoreScene, act: () => void): void {
	try {
		act();
	} catch (error) {
		if (error instanceof AppError && error.params?.reason === "in-doubt") world.count("a conversation was in doubt");
		if (error instanceof AppError && error.code === "id-reused")
			world.violate("one-message", `What was sent again is refused: ${error.message}`);
		else if (error instanceof AppError && error.code !== "internal") world.trace.note(`refused: ${error.code}`);
		else if (error instanceof SimulatedDeath) throw error;
		else world.violate("no-surprise", error instanceof Error ? (error.stack ?? error.message) : String(error));
	}
}

function refused(error: unknown): undefined {
	if (error instanceof AppError || error instanceof SimulatedDeath) return undefined;
	throw error;
}

export function sentAs({ world }: CoreScene, content: string): Sent | undefined {
	return world.ledger.sent.get(/\b[pc]\d+x\b/.exec(content)?.[0] ?? "");
}
