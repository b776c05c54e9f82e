import { splitRemoteId } from "@rightseat/protocol/fleet/ids";
import { AppError, toAppError } from "../../../packages/server/src/core/kernel/errors.ts";
import { type ConversationId, conversationId, messageId } from "../../../packages/server/src/core/kernel/ids.ts";
import type { PromptReceipt } from "../../../packages/server/src/core/turns/prompt-request.ts";
import type { Step } from "../frame/part.ts";
import { pickBy } from "../frame/plan.ts";
import type { FleetRun } from "./fleet-run.ts";
import { TASK } from "./fleet-run.ts";
import { createReader, type Reader } from "./reader.ts";
import { awake, type FleetScene, isAwake, type Letter, type Member } from "./scene.ts";

type Steps = Readonly<Record<string, (step: Step) => void | Promise<void>>>;
type Console = Member & { run: FleetRun };

/** People on several hosts, who mostly care for conversations of other hosts. */
export function peopleSteps(scene: FleetScene): Steps {
	const { world } = scene;
	const console = (step: Step) => pickBy(awake(scene), step.a);

	/** What was asked, and what came of it; a process that dies says nothing. */
	function told<T>(member: Console, what: string, work: () => T | Promise<T>, then: (value: T) => void = () => undefined): void {
		const { life } = member.run;
		void (async () => {
			try {
				const value = await work();
				// No channel says yes before that.
				await life.opened.sql.durable();
				if (!life.isAlive()) return;
				world.trace.note(`${member.host.name} ${what}: yes`);
				then(value);
			} catch (error) {
				if (!life.isAlive()) return;
				const { code } = toAppError(error);
				if (!(error instanceof AppError)) world.violate("no-surprise", `${what}: ${error instanceof Error ? error.stack : String(error)}`);
				world.trace.note(`${member.host.name} ${what}: ${code}`);
				world.count(`fleet: a person was told ${code}`);
			}
		})();
	}
	function target(member: Console, number: number): { id: ConversationId; owner: Member; ownId: string } | undefined {
		const others = member.run.everywhere.conversations.list({ limit: 50 }).conversations.flatMap(({ id }) => {
			const place = splitRemoteId(id);
			const owner = scene.members.find((each) => each.id === place?.host);
			return place === undefined || owner === undefined ? [] : [{ id: conversationId(id), owner, ownId: place.conversationId }];
		});
		return pickBy(others, number);
	}
	function write(kind: Letter["kind"], from: Console, step: Step): { letter: Letter; id: ConversationId } | undefined {
		const to = target(from, step.b);
		if (to === undefined) return undefined;
		const marker = `${kind === "prompt" ? "p" : "c"}${step.at}x`;
		const place = { marker, kind, clientMessageId: `letter-${step.at}`, conversationId: to.ownId };
		const letter: Letter = { ...place, from, to: to.owner, acked: undefined, isKept: false, isOff: false };
		scene.letters.push(letter);
		world.ledger.send(place);
		return { letter, id: to.id };
	}
	function acked(letter: Letter, id: string): void {
		letter.acked = id;
		world.ledger.acked(letter.marker, id);
	}
	function taken(letter: Letter, receipt: PromptReceipt): void {
		world.count(`fleet: a prompt was ${receipt.delivery}`);
		if (receipt.delivery === "outbox") letter.isKept = true;
		else if (receipt.delivery === "dropped") letter.isOff = true;
		else acked(letter, receipt.messageId);
	}
	function send(from: Console, letter: Letter, id: ConversationId, through = from.run.everywhere.conversations): void {
		const { marker, clientMessageId } = letter;
		const content = `do ${marker}`;
		if (letter.kind === "prompt")
			told(
				from,
				marker,
				() => through.prompt({ conversationId: id, prompt: content, clientMessageId, origin: "web" }),
				(receipt) => taken(letter, receipt),
			);
		else
			told(
				from,
				marker,
				() => through.exec({ conversationId: id, command: content, clientMessageId, origin: "web" }),
				({ execId }) => acked(letter, execId),
			);
	}
	/** A page of somebody that shows something of this kind. */
	function page(number: number, has: (state: NonNullable<Reader["state"]>) => boolean): (Reader & { console: Console }) | undefined {
		const pages = [...scene.readers].filter(
			(reader): reader is Reader & { console: Console } => isAwake(reader.console) && reader.state !== undefined && has(reader.state),
		);
		return pickBy(pages, number);
	}

	return {
		prompt(step) {
			const from = console(step);
			const written = from && write("prompt", from, step);
			if (from !== undefined && written !== undefined) send(from, written.letter, written.id);
		},
		command(step) {
			const from = console(step);
			const written = from && write("command", from, step);
			if (from !== undefined && written !== undefined) send(from, written.letter, written.id);
		},
		/** The same once more: the person has heard nothing. */
		again(step) {
			const letter = pickBy(scene.letters, step.b);
			if (letter === undefined || !isAwake(letter.from) || letter.isOff) return;
			const id = conversationId(`${letter.to.id}_${letter.conversationId}`);
			world.count("fleet: a letter was sent again");
			send(letter.from, letter, id);
		},
		/** What the holder of the task says, it says with its number. */
		task(step) {
			for (const from of awake(scene)) {
				const number = from.run.lease.fence();
				const written = number === undefined ? undefined : write("prompt", from, step);
				if (number === undefined || written === undefined) continue;
				send(from, written.letter, written.id, from.run.everywhere.under(() => ({ lease: TASK, number })).conversations);
				return;
			}
		},
		/** Somebody who held the task before goes on with it. */
		"old-task"(step) {
			const from = console(step);
			const written = from && write("prompt", from, step);
			if (from === undefined || written === undefined) return;
			const { letter, id } = written;
			letter.isOff = true;
			const number = scene.examiner.fenceOf(letter.to, TASK) - 1;
			if (number < 1) return;
			world.count("fleet: an earlier holder acted");
			send(from, letter, id, from.run.everywhere.under(() => ({ lease: TASK, number })).conversations);
		},
		stop(step) {
			const reader = page(step.a, ({ turn }) => turn !== undefined);
			if (reader === undefined) return;
			const { id, state, console: from } = reader;
			const turn = step.b < 0.5 || state?.turn === undefined ? undefined : messageId(state.turn.messageId);
			told(from, `stop ${id}`, () => from.run.everywhere.conversations.abort(id, turn));
		},
		answer(step) {
			const reader = page(step.a, ({ questions }) => questions.length > 0);
			const question = pickBy(reader?.state?.questions ?? [], step.b);
			if (reader === undefined || question === undefined) return;
			const answer = { conversationId: reader.id, requestId: question.requestId, answer: "yes", by: "web" as const };
			told(reader.console, `answer ${question.requestId}`, () => reader.console.run.everywhere.conversations.answer(answer));
		},
		decide(step) {
			const reader = page(step.a, ({ permissions }) => permissions.length > 0);
			const request = pickBy(reader?.state?.permissions ?? [], step.b);
			if (reader === undefined || request === undefined) return;
			const decision = step.c < 0.6 ? ("approve-once" as const) : ("reject" as const);
			const response = { conversationId: reader.id, requestId: request.requestId, decision, by: "web" as const };
			told(reader.console, `decide ${request.requestId}`, () => reader.console.run.everywhere.conversations.decide(response));
		},
		queue(step) {
			const reader = page(step.a, ({ queue }) => queue.length > 0);
			const item = pickBy(reader?.state?.queue ?? [], step.b);
			if (reader === undefined || item === undefined) return;
			const [all, id] = [reader.console.run.everywhere.conversations, messageId(item.messageId)];
			const letter = scene.letters.find(({ marker }) => item.content.includes(marker));
			if (step.c < 0.3) {
				if (letter !== undefined) letter.isOff = true;
				told(reader.console, `drop ${id}`, () => all.dropQueued(reader.id, id));
			} else if (step.c < 0.6) told(reader.console, `move ${id}`, () => all.moveQueued(reader.id, id, 0));
			else if (step.c < 0.8) told(reader.console, `edit ${id}`, () => all.editQueued(reader.id, id, `${item.content} now`));
			else told(reader.console, `now ${id}`, () => all.sendQueuedNow(reader.id, id));
		},
		outbox(step) {
			const from = console(step);
			const entry = pickBy(from?.run.everywhere.outbox.list() ?? [], step.b);
			if (from === undefined || entry === undefined) return;
			const { outbox } = from.run.everywhere;
			const letter = scene.letters.find(({ clientMessageId }) => clientMessageId === entry.clientMessageId);
			if (entry.state.kind === "asking") told(from, "confirm", () => outbox.confirm(entry.clientMessageId));
			else if (step.c < 0.4) {
				if (letter !== undefined) letter.isOff = true;
				told(from, "drop", () => outbox.drop(entry.clientMessageId));
			} else told(from, "edit", () => outbox.edit(entry.clientMessageId, `${entry.prompt} soon`));
		},
		look(step) {
			const from = console(step);
			const to = from && target(from, step.b);
			if (from === undefined || to === undefined) return;
			const known = [...scene.readers].find((reader) => reader.console.id === from.id && reader.id === to.id);
			if (known !== undefined && step.c < 0.4) {
				known.close();
				scene.readers.delete(known);
			} else if (known === undefined) {
				const member = scene.members.find(({ id }) => id === from.id) ?? from;
				const reader = createReader(world, { console: member, owner: to.owner, ownId: to.ownId }, scene.examiner.shown);
				scene.readers.add(reader);
				reader.open();
			}
		},
		begin(step) {
			const from = console(step);
			if (from !== undefined && from.run.life.conversations.list({ limit: 10 }).conversations.length < 4)
				told(from, "begin", () => from.run.life.conversations.create({}));
		},
		seen(step) {
			const from = console(step);
			const item = pickBy(from?.run.everywhere.conversations.inbox.list() ?? [], step.b);
			if (from !== undefined && item !== undefined)
				told(from, `seen ${item.kind}`, () => from.run.everywhere.conversations.inbox.seen(item.id));
		},
	};
}
