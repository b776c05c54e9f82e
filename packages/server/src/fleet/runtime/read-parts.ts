import type { FleetCommand } from "@rightseat/protocol/fleet/command";
import { liveEventSchema, type Position, positionSchema } from "@rightseat/protocol/fleet/position";
import * as z from "zod/mini";
import type { Clock } from "../../core/kernel/clock.ts";
import { AppError } from "../../core/kernel/errors.ts";
import { type ConversationId, conversationId, type IdSource } from "../../core/kernel/ids.ts";
import type { FleetOwner, OwnerAnswer } from "../../core/ports/fleet.ts";
import { pack, unpack } from "../crypto/packing.ts";
import { parseJson } from "../crypto/parse-json.ts";

type Answer = Exclude<OwnerAnswer, { kind: "failed" }>;

const requestSchema = z.object({
	from: z.optional(positionSchema),
	/** Of an answer that did not fit into one message. */
	part: z.optional(z.object({ key: z.string().check(z.maxLength(64)), index: z.int().check(z.minimum(1)) })),
});
const headSchema = z.object({ parts: z.int().check(z.minimum(1), z.maximum(256)), key: z.optional(z.string().check(z.maxLength(64))) });
const answerSchema = z.discriminatedUnion("kind", [
	z.object({ kind: z.literal("events"), events: z.array(liveEventSchema), head: positionSchema, hasMore: z.boolean() }),
	z.object({ kind: z.literal("snapshot"), position: positionSchema, frame: z.string(), isRewritten: z.boolean() }),
	z.object({ kind: z.literal("gone") }),
]);

/** Answers that wait to be fetched in parts, packed; the oldest gives way. */
const MAX_PARTED_CHARS = 33_554_432;
const PARTED_LIFE_MS = 60_000;
/** What a reader unpacks at most. */
const MAX_UNPACKED_BYTES = 67_108_864;
/** Around a part: the command's id, names, signature, seal. */
const AROUND_BYTES = 4_096;

/** Answers `fleet:read`: packed, and in parts when one message is too small for it. */
export function createReadServer(deps: {
	owner: Pick<FleetOwner, "read">;
	maxBytes: () => number;
	clock: Pick<Clock, "elapsed">;
	ids: IdSource;
	maxParted?: number;
}): (command: FleetCommand) => Promise<string[]> {
	const parted = new Map<string, { text: string; room: number; at: number }>();
	function forget(room: number): void {
		let chars = room;
		for (const [key, { text, at }] of [...parted].reverse()) {
			chars += text.length;
			if (chars > (deps.maxParted ?? MAX_PARTED_CHARS) || deps.clock.elapsed() - at > PARTED_LIFE_MS) parted.delete(key);
		}
	}
	return async ({ conversationId: id, frame }) => {
		const request = requestSchema.safeParse(frame.data ?? {});
		if (!request.success || id === undefined)
			throw new AppError("bad-frame", "A place to read from is missing.", { params: { type: frame.type, where: "from" } });
		const { part, from } = request.data;
		if (part !== undefined) {
			const known = parted.get(part.key);
			if (known === undefined) throw new AppError("message-not-found", "This answer is not kept any more. Ask again.", { retryable: true });
			return [known.text.slice(part.index * known.room, (part.index + 1) * known.room)];
		}
		const answer = await deps.owner.read(conversationId(id), from);
		const text = (await pack(JSON.stringify(answer), { level: 1 })).toString("base64");
		const room = Math.max(1_024, deps.maxBytes() - AROUND_BYTES);
		const parts = Math.max(1, Math.ceil(text.length / room));
		if (parts === 1) return [JSON.stringify({ parts }), text];
		const key = deps.ids.next();
		forget(text.length);
		parted.set(key, { text, room, at: deps.clock.elapsed() });
		return [JSON.stringify({ parts, key }), text.slice(0, room)];
	};
}

/** Asks the owner and puts the parts together. `send` is one command and its answer; what it rejects with is passed on. */
export async function readFromOwner(
	send: (frame: FleetCommand["frame"]) => Promise<string[]>,
	id: ConversationId,
	from: Position | undefined,
): Promise<Answer> {
	const ask = (data: Record<string, unknown>) => send({ type: "fleet:read", data: { conversationId: id, ...data } });
	const [first = "", packed = ""] = await ask(from === undefined ? {} : { from });
	const head = headSchema.safeParse(parseJson(first));
	if (!head.success) throw unreadable();
	const texts = [packed];
	for (let index = 1; index < head.data.parts; index++) {
		const [next = ""] = await ask({ part: { key: head.data.key ?? "", index } });
		texts.push(next);
	}
	const parsed = answerSchema.safeParse(await unpacked(texts.join("")));
	if (!parsed.success) throw unreadable();
	return parsed.data;
}

async function unpacked(text: string): Promise<unknown> {
	try {
		return parseJson(await unpack(Buffer.from(text, "base64"), MAX_UNPACKED_BYTES));
	} catch {
		return undefined;
	}
}

const unreadable = () => new AppError("host-unreachable", "The other host's answer cannot be read.", { retryable: true });
