import { isDeepStrictEqual } from "node:util";
import { splitRemoteThing } from "@rightseat/protocol/fleet/ids";
import type { ConversationState } from "@rightseat/protocol/fold/conversation";
import { fromSnapshot } from "@rightseat/protocol/fold/conversation";
import { decodeServerFrame } from "@rightseat/protocol/frames/decode-server-frame";
import { conversationId, seq } from "../../../packages/server/src/core/kernel/ids.ts";
import type { OutboxEntry } from "../../../packages/server/src/core/ports/fleet-store.ts";
import type { FleetRun } from "./fleet-run.ts";
import type { Reader } from "./reader.ts";
import { awake, type FleetScene, type Letter, type Member } from "./scene.ts";
import { end, isEnded } from "./workers.ts";

/** Agents end, people decide what is asked of them; undefined when nothing is under way any more, else what is. */
export function settleFleet(scene: FleetScene): string | undefined {
	const runs = awake(scene);
	if (runs.length < scene.members.length) return "a host is down";
	for (const { run, host } of runs) {
		const { life, everywhere } = run;
		for (const turn of life.agent.turns) turn.end("completed");
		for (const command of life.shell.commands) if (!isEnded(command)) end(command);
		// A disk that was full a moment ago is tried again within seconds, and refuses people until then.
		if (life.opened.health().state !== "ok") return `${host.name} is read-only`;
		for (const entry of everywhere.outbox.list()) {
			if (entry.state.kind === "asking") everywhere.outbox.confirm(entry.clientMessageId);
			if (entry.state.kind === "refused") dropRefused(scene, run, entry);
		}
	}
	for (const reader of scene.readers) reader.open();
	return (
		firstOf(runs, ({ run, host }) => {
			const offline = run.fleet.hosts().filter(({ state }) => state === "offline");
			return run.fleet.hosts().length < runs.length || offline.length > 0
				? `${host.name} misses ${offline.map(({ name }) => name).join()}`
				: undefined;
		}) ??
		firstOf(runs, ({ run, host }) => (run.life.agent.turns.size > 0 ? `a turn runs on ${host.name}` : undefined)) ??
		firstOf(runs, ({ run, host }) => {
			const waiting = run.everywhere.outbox.list();
			return waiting.length > 0 ? `on ${host.name} waits ${JSON.stringify(waiting)}` : undefined;
		}) ??
		firstOf([...scene.readers], (reader) => difference(reader, scene.alike)) ??
		firstOf(runs, (member) => inboxDifference(member, runs)) ??
		(runs.filter(({ run }) => run.lease.fence() !== undefined).length === 1 ? undefined : "nobody has the task")
	);
}

/** What a host does not want holds up what follows it, until somebody has seen it. */
function dropRefused({ world, letters }: FleetScene, run: FleetRun, { clientMessageId, state }: OutboxEntry): void {
	world.count(`fleet: the outbox was told ${state.kind === "refused" ? state.code : state.kind}`);
	run.everywhere.outbox.drop(clientMessageId);
	for (const letter of letters) if (letter.clientMessageId === clientMessageId) letter.isOff = true;
}

/** Everything is quiet: what was promised to people must be there. */
export function examineFleet(scene: FleetScene): void {
	const { world } = scene;
	for (const letter of scene.letters) examineLetter(scene, letter);
	for (const member of awake(scene)) examineShown(scene, member);
	for (const { run, host } of awake(scene)) {
		const problem = run.fleet.status();
		if (problem.kind !== "connected") world.violate("fleet-peace", `${host.name} is ${problem.kind}: ${problem.because?.message}`);
	}
}

function examineLetter({ world }: FleetScene, letter: Letter): void {
	const { marker, kind, to, from, conversationId: id } = letter;
	const { sql } = to.run?.life.opened ?? {};
	if (sql === undefined || letter.isOff) return;
	const found =
		kind === "prompt"
			? sql.prepare("SELECT id FROM messages WHERE conversation_id = ? AND instr(content, ?) > 0 AND role = 'user'").all(id, marker)
			: sql.prepare("SELECT exec_id AS id FROM commands WHERE conversation_id = ? AND instr(command, ?) > 0").all(id, marker);
	const ids = found.map((row) => String(row.id));
	if (ids.length > 1) world.violate("fleet-once", `${marker} is stored as ${ids.join(" and ")}`);
	if (letter.acked !== undefined && ids[0] !== letter.acked)
		world.violate("fleet-acknowledged", `${marker} was acknowledged as ${letter.acked}, and stored is ${ids[0] ?? "nothing"}`);
	const waits = from.run?.everywhere.outbox.list().some(({ clientMessageId }) => clientMessageId === letter.clientMessageId);
	if (letter.isKept && ids.length === 0 && waits !== true)
		world.violate("fleet-outbox", `${marker} was kept by ${from.host.name}, and neither waits there nor is it on ${to.host.name}`);
}

/** What any page was shown of this host's conversations is in its log, as far as the log of that epoch goes back. */
function examineShown({ world, examiner }: FleetScene, member: Member & { run: FleetRun }): void {
	const { store } = member.run.life.opened;
	for (const [id, shown] of examiner.shownOf(member)) {
		const row = store.conversations.find(conversationId(id));
		if (row === undefined) continue;
		const kept = new Map(store.events.after(conversationId(id), seq(0), 100_000).map((event) => [Number(event.seq), event.frame]));
		for (const [key, frame] of shown) {
			const [epoch, number] = key.split(" ");
			if (epoch !== row.epoch) continue;
			const stored = kept.get(Number(number));
			if (Number(number) > row.headSeq || (stored !== undefined && stored !== frame))
				world.violate("fleet-shown", `${id} ${key}: shown was ${frame}, stored is ${stored ?? "nothing"} up to ${row.headSeq}`);
		}
	}
}

/** How a page differs from what the owner has stored. */
function difference(reader: Reader, alike: WeakMap<Reader, string>): string | undefined {
	const { owner, ownId, at, state, id } = reader;
	const id_ = conversationId(ownId);
	const row = owner.run?.life.opened.store.conversations.find(id_);
	// It is gone with the disk that was put back.
	if (row === undefined || owner.run === undefined) return undefined;
	// A page that was the same there is the same.
	const place = `${row.epoch} ${row.headSeq} ${owner.run.life.number}`;
	if (alike.get(reader) === place && at?.epoch === row.epoch && at.seq === row.headSeq) return undefined;
	if (at?.epoch !== row.epoch || at.seq !== row.headSeq)
		return `${id} is shown at ${at?.seq} of ${at?.epoch}, its owner is at ${row.headSeq} of ${row.epoch}`;
	const decoded = decodeServerFrame(owner.run.life.hostLog?.snapshot(id_) ?? "");
	if (decoded.kind !== "frame" || decoded.frame.type !== "copilot:snapshot" || state === undefined) return `${id} has no snapshot`;
	const [shown, stored] = [partsOf(state), partsOf(fromSnapshot(decoded.frame.data))];
	if (isDeepStrictEqual(shown, stored)) alike.set(reader, place);
	return isDeepStrictEqual(shown, stored) ? undefined : `${id} shows ${JSON.stringify(shown)}, its owner has ${JSON.stringify(stored)}`;
}

/** Without what is not there, and of a long conversation only its end. */
const partsOf = ({ status, messages, turn, queue, questions, permissions, context }: ConversationState): unknown =>
	JSON.parse(JSON.stringify({ status, messages: messages.slice(-5), turn, queue, questions, permissions, context }));

/** The inbox of everybody is the sum of all. */
function inboxDifference(member: Member & { run: FleetRun }, all: readonly (Member & { run: FleetRun })[]): string | undefined {
	const here = member.run.everywhere.conversations.inbox.list().map(({ id }) => {
		const place = splitRemoteThing(id);
		return place === undefined ? `${member.id} ${id}` : `${place.host} ${place.id}`;
	});
	const sum = all.flatMap(({ id: host, run }) => run.life.conversations.inbox.list().map(({ id }) => `${host} ${id}`));
	const [shown, there] = [here.toSorted().join(), sum.toSorted().join()];
	return shown === there ? undefined : `the inbox of ${member.host.name} has ${shown}, and there is ${there}`;
}

function firstOf<T>(items: readonly T[], problem: (item: T) => string | undefined): string | undefined {
	for (const item of items) {
		const found = problem(item);
		if (found !== undefined) return found;
	}
	return undefined;
}
