import type { FleetCommand } from "@rightseat/protocol/fleet/command";
import type { Head, LiveEvent, Position } from "@rightseat/protocol/fleet/position";
import {
	type AttachmentPart,
	attachmentPartSchema,
	type FleetHttp,
	fleetHttpSchema,
	fleetLookedSchema,
	fleetSearchSchema,
	fleetTypeOf,
	partRequestSchema,
	terminalReadSchema,
} from "@rightseat/protocol/fleet/requests";
import { clientFrameSchema } from "@rightseat/protocol/frames/client";
import { conversationAnswer } from "@rightseat/protocol/http/conversations";
import { answerFrame, isAnswerable } from "../conversations/answer-frame.ts";
import type { Conversations } from "../conversations/conversations.ts";
import type { HostLog } from "../conversations/host-log.ts";
import type { Actor } from "../kernel/actor.ts";
import type { Clock } from "../kernel/clock.ts";
import { AppError } from "../kernel/errors.ts";
import { type ConversationId, conversationId, type IdSource } from "../kernel/ids.ts";
import type { AuditLog, AuditRecord } from "../ports/audit.ts";
import type { FleetOwner } from "../ports/fleet.ts";
import type { CreatedStore } from "../ports/fleet-store.ts";
import type { Jobs } from "../ports/shell.ts";
import { headLine, parseLine } from "./answer-lines.ts";
import { createHostScreens, type Screens } from "./host-screens.ts";
import { createLongAnswers } from "./long-answers.ts";
import { answerReader } from "./owner-answer.ts";
import type { HttpAnswer } from "./remote-calls.ts";
import { fitInbox } from "./told-inbox.ts";

/** Conversations count as changed for so long, and so many of them are told. */
const HEADS_MS = 60_000;
const MAX_HEADS = 100;

export interface FleetOwnerDeps {
	/** Of this host. */
	conversations: Conversations;
	jobs: Jobs;
	hostLog: HostLog;
	created: CreatedStore;
	audit: Pick<AuditLog, "record">;
	clock: Clock;
	ids: IdSource;
	/** The largest message that may be sent now. */
	maxBytes?: (() => number) | undefined;
	/** What people call a host. */
	nameOf(host: string): string;
	/** Carries out a request over HTTP as if it had come to this host. */
	http(request: FleetHttp, who: Actor): Promise<HttpAnswer>;
	/** On which screens of others a conversation of this host is. */
	screens: Pick<Screens, "screen">;
	/** Takes one part of a file; the id of the attachment when it is whole. */
	upload(from: string, part: AttachmentPart): Promise<string | undefined>;
	/** Terminals of this host. */
	terminals: {
		/** `terminal:*` of another host, for somebody there. */
		handle(frame: { type: string; data: unknown }, from: { host: string; who: Actor }): Promise<string[]>;
		read(host: string, terminalId: string, from: number): Promise<string[]>;
		/** Ends every terminal that this host has opened. */
		endOf(host: string): void;
	};
}

/** This host as the others see it: what they ask is carried out by the services that its own page uses. */
export function createFleetOwner(deps: FleetOwnerDeps): FleetOwner {
	const { conversations, hostLog, clock } = deps;
	const answers = createLongAnswers(deps);
	const screens = createHostScreens(deps);
	const changed = new Map<ConversationId, number>();
	const whoOf = ({ from, actor }: FleetCommand): Actor => ({
		origin: actor.origin,
		from: [deps.nameOf(from), ...(actor.from === undefined ? [] : [actor.from])].join(" "),
	});

	hostLog.onEvents((events) => {
		for (const { conversationId: id } of events) {
			changed.delete(id);
			changed.set(id, clock.elapsed());
			const oldest = changed.keys().next();
			if (changed.size > MAX_HEADS && oldest.done !== true) changed.delete(oldest.value);
		}
	});
	conversations.onChange((change) => {
		if (change.kind !== "deleted") return;
		changed.delete(change.id);
		hostLog.forget(change.id);
	});

	async function carryOut(command: FleetCommand): Promise<string[]> {
		const { frame, conversationId: named } = command;
		const id = named === undefined ? undefined : conversationId(named);
		switch (frame.type) {
			case "fleet:state":
				return [await state(hostLog, id)];
			case "fleet:search": {
				const { q, limit } = parse(fleetSearchSchema, frame);
				return [headLine({ type: "fleet:results", data: { results: await durably(hostLog, await conversations.search(q, limit)) } })];
			}
			case "fleet:looked":
				screens.told(command.from, id, parse(fleetLookedSchema, frame));
				return [];
			case "fleet:attachment":
				return [headLine({ type: "fleet:attachment", data: { id: await deps.upload(command.from, parse(attachmentPartSchema, frame)) } })];
			case "fleet:terminal": {
				const { terminalId, from } = parse(terminalReadSchema, frame);
				return deps.terminals.read(command.from, terminalId, from);
			}
			default:
		}
		if (frame.type.startsWith("fleet:")) return http(command);
		if (frame.type.startsWith("terminal:"))
			return deps.terminals.handle({ type: frame.type, data: frame.data }, { host: command.from, who: whoOf(command) });
		return clientFrame(command);
	}

	async function clientFrame(command: FleetCommand): Promise<string[]> {
		const parsed = clientFrameSchema.safeParse(command.frame);
		if (!parsed.success || !isAnswerable(parsed.data)) throw unknownType(command.frame.type);
		const answer = await answerFrame({ conversations, jobs: deps.jobs, tellsDelivery: true }, parsed.data, whoOf(command));
		await hostLog.durable();
		return answer === undefined ? [] : [JSON.stringify(answer)];
	}

	async function http(command: FleetCommand): Promise<string[]> {
		const { frame, conversationId: named } = command;
		const request = parse(fleetHttpSchema, frame);
		// What it is called decides on the role that it needs, and the conversation that it is signed for is the one that it is about.
		const about = /^\/api\/conversations\/([^/]+)/.exec(request.path)?.[1];
		if (fleetTypeOf(request.method, request.path) !== frame.type || about !== named) throw unknownType(frame.type);
		const key = request.key === undefined ? undefined : `${command.from} ${request.key}`;
		const known = key === undefined ? undefined : deps.created.find(key);
		const conversation = known === undefined ? undefined : conversations.find(known);
		if (conversation !== undefined) return durably(hostLog, httpLines(asJson(201, { conversation })));
		const answer = await deps.http(request, whoOf(command));
		if (key !== undefined && answer.status === 201) {
			const made = conversationAnswer.safeParse(parseLine(answer.body));
			if (made.success) deps.created.add(key, conversationId(made.data.conversation.id), clock.now());
		}
		return httpLines(answer);
	}

	return {
		async run(command) {
			if (command.frame.type !== "fleet:part") return answers.give(command.from, carryOut(command));
			const { id, part } = parse(partRequestSchema, command.frame);
			return answers.part(command.from, id, part);
		},
		forget(host) {
			answers.forget(host);
			deps.terminals.endOf(host);
		},
		audit(command, verdict) {
			deps.audit.record(auditOf(command, whoOf(command), verdict));
		},
		read: (id, from) => read(hostLog, id, from),
		conversations: (limit) => conversations.list({ limit }).conversations,
		onConversation: (listener) => conversations.onChange(listener),
		inbox: () => fitInbox({ items: conversations.inbox.list(), snoozed: conversations.inbox.snoozed() }),
		onInbox: (listener) => conversations.inbox.onChange(listener),
		onEvent: (listener) =>
			hostLog.onEvents((events) => {
				for (const event of events) {
					const live = toLive(event);
					if (live !== undefined) listener(event.conversationId, live);
				}
			}),
		heads() {
			const young = [...changed].filter(([, at]) => clock.elapsed() - at <= HEADS_MS).toReversed();
			return young.flatMap(([id]): Head[] => {
				const position = hostLog.position(id);
				return position === undefined ? [] : [{ conversationId: id, ...position }];
			});
		},
		async snapshot(id) {
			const position = hostLog.position(id);
			if (position === undefined) return undefined;
			const frame = hostLog.snapshot(id);
			await hostLog.durable();
			return { position, frame };
		},
	};
}

/** Which console, which device there, what, and what became of it. */
function auditOf({ frame, conversationId: named }: FleetCommand, { origin, from }: Actor, verdict: string): AuditRecord {
	const what = [frame.type, ...(named === undefined ? [] : [`in ${named}`])].join(" ");
	return { kind: "fleet", source: `${from ?? ""} (${origin})`, detail: `${what}: ${verdict}` };
}

/** What was read leaves this host when it is durable. */
async function durably<T>(hostLog: HostLog, read: T): Promise<T> {
	await hostLog.durable();
	return read;
}

/** The conversation as it stands, for somebody who asks once. */
async function state(hostLog: HostLog, id: ConversationId | undefined): Promise<string> {
	if (id === undefined || hostLog.position(id) === undefined)
		throw new AppError("conversation-not-found", "There is no such conversation. It may have been deleted.");
	const frame = hostLog.snapshot(id);
	await hostLog.durable();
	return frame;
}

/** What a reader with this position must get. Taken in one go, and given out when it is durable. */
async function read(hostLog: HostLog, id: ConversationId, from: Position | undefined): ReturnType<FleetOwner["read"]> {
	const head = hostLog.position(id);
	if (head === undefined) return { kind: "gone" };
	const log = {
		head: () => head,
		chainAt: (seq: number) => hostLog.chainAt(id, seq),
		after: (seq: number) => hostLog.missed(id, seq, head)?.flatMap((event) => toLive(event) ?? []),
		snapshot: () => hostLog.snapshot(id),
	};
	const answer = answerReader(log, from);
	await hostLog.durable();
	return answer;
}

function toLive({ epoch, seq, frame, link }: Parameters<Parameters<HostLog["onEvents"]>[0]>[0][number]): LiveEvent | undefined {
	return link === undefined ? undefined : { ...link, epoch, seq, frame };
}

function parse<T>(
	schema: { safeParse(value: unknown): { success: true; data: T } | { success: false } },
	{ type, data }: FleetCommand["frame"],
): T {
	const parsed = schema.safeParse(data ?? {});
	if (parsed.success) return parsed.data;
	throw new AppError("bad-frame", `Wrong shape of ${type}.`, { params: { type, where: "data" } });
}

const unknownType = (type: string) => new AppError("unknown-type", `Nothing here handles "${type}".`, { params: { type } });

const httpLines = ({ status, headers, body, isBase64 }: HttpAnswer): string[] => [
	headLine({ type: "fleet:http", data: { status, headers, isBase64 } }),
	body,
];
const asJson = (status: number, body: object): HttpAnswer => ({
	...{ status, isBase64: false, body: JSON.stringify(body) },
	headers: { "content-type": "application/json; charset=utf-8" },
});
