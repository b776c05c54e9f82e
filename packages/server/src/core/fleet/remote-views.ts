import { decodeServerFrame } from "@rightseat/protocol/frames/decode-server-frame";
import type { ServerFrameOf } from "@rightseat/protocol/frames/server";
import { type Cancel, type Clock, isoTime } from "../kernel/clock.ts";
import { type ConversationId, type MessageId, messageId, epoch as toEpoch, seq as toSeq } from "../kernel/ids.ts";
import type { MemoryLedger } from "../kernel/memory-ledger.ts";
import type { CommittedEvent, Subscriber, Subscription } from "../log/stream-hub.ts";
import type { Fleet } from "../ports/fleet.ts";

/** Events that are kept beside the last snapshot; a reader that comes after more of them gets a new snapshot. */
export const MAX_VIEW_EVENTS = 2_000;
export const MAX_VIEW_CHARS = 1_048_576;
/** One that nobody looks at any more is followed for so long, for whoever loads the page again, and so many at once. */
const LINGER_MS = 30_000;
export const MAX_LINGERING = 16;

type Standing = Pick<ServerFrameOf<"copilot:stream-status">["data"], "status" | "turn">;
type Snapshot = ServerFrameOf<"copilot:snapshot">;

/** Conversations of other hosts that somebody here looks at, each followed once. */
export interface RemoteViews {
	/** Status, then what was missed or a snapshot, then what follows: at once if it is known here, else when its host or a copy has told it. */
	subscribe(id: ConversationId, position: { epoch?: string; lastSeq?: number }, subscriber: Subscriber): Subscription;
	/** What follows from now on. */
	follow(id: ConversationId, subscriber: Subscriber): Subscription;
	/** What is shown of it: the last snapshot, and the turn that runs now. */
	find(id: ConversationId): { snapshot: Snapshot; turn: MessageId | undefined; copyOf: number | undefined } | undefined;
	/** When the copy that is shown was made; undefined when its host itself tells it. */
	onCopy(listener: (id: ConversationId, copyOf: number | undefined) => void): () => void;
	close(): void;
}

interface View {
	readonly id: ConversationId;
	stop: () => void;
	/** What a reader who comes begins with; undefined before the first one, and after more events than are kept. */
	base: Snapshot | undefined;
	baseChars: number;
	events: CommittedEvent[];
	chars: number;
	head: { epoch: string; seq: number } | undefined;
	/** At the head. */
	standing: Standing;
	copyOf: number | undefined;
	readonly readers: Map<Subscriber, Reader>;
	linger: Cancel | undefined;
}

interface Reader {
	/** Where it said that it is; it waits for the first word of the owner. */
	wanted: { epoch?: string; lastSeq?: number } | undefined;
	at: { epoch: string; seq: number } | undefined;
}

export function createRemoteViews(deps: { fleet: Pick<Fleet, "watch">; clock: Clock; memory: MemoryLedger }): RemoteViews {
	const views = new Map<ConversationId, View>();
	const account = deps.memory.account("fleet views", { order: 0, free });
	const copyListeners = new Set<(id: ConversationId, copyOf: number | undefined) => void>();

	function open(id: ConversationId): View {
		const known = views.get(id);
		if (known !== undefined) {
			known.linger?.();
			known.linger = undefined;
			return known;
		}
		const view: View = {
			...{ id, stop: () => undefined, base: undefined, baseChars: 0, events: [], chars: 0, head: undefined },
			standing: { status: "idle" },
			...{ copyOf: undefined, readers: new Map(), linger: undefined },
		};
		views.set(id, view);
		watch(view);
		return view;
	}

	function watch(view: View): void {
		view.stop();
		let isOver = false;
		const end = deps.fleet.watch(view.id, {
			event(frame, { epoch, seq }) {
				if (!isOver) onEvent(view, { conversationId: view.id, epoch: toEpoch(epoch), seq: toSeq(seq), frame });
			},
			snapshot(text, _, { isRewritten, copyOf }) {
				const decoded = decodeServerFrame(text);
				if (isOver || decoded.kind !== "frame" || decoded.frame.type !== "copilot:snapshot") return;
				const frame = copyOf === undefined ? decoded.frame : { ...decoded.frame, data: { ...decoded.frame.data, copyOf: isoTime(copyOf) } };
				onSnapshot(view, frame, { isRewritten, copyOf, chars: text.length });
			},
			gone: () => drop(view),
		});
		view.stop = () => {
			isOver = true;
			end();
		};
	}

	function onEvent(view: View, event: CommittedEvent): void {
		view.head = { epoch: event.epoch, seq: event.seq };
		setCopy(view, undefined);
		noteStanding(view, event.frame);
		if (view.base !== undefined) {
			view.events.push(event);
			count(view, 2 * event.frame.length);
			if (view.events.length > MAX_VIEW_EVENTS || view.chars - view.baseChars > 2 * MAX_VIEW_CHARS) forgetBase(view);
		}
		for (const [subscriber, reader] of view.readers) {
			if (reader.at === undefined || reader.at.epoch !== event.epoch || reader.at.seq !== event.seq - 1) continue;
			reader.at = view.head;
			subscriber.event(event.frame, event);
		}
	}

	function onSnapshot(view: View, frame: Snapshot, about: { isRewritten: boolean; copyOf: number | undefined; chars: number }): void {
		forgetBase(view);
		const { epoch, seq } = frame.data;
		Object.assign(view, { base: frame, baseChars: 2 * about.chars, head: { epoch, seq }, standing: standingOf(frame) });
		count(view, view.baseChars);
		setCopy(view, about.copyOf);
		for (const [subscriber, reader] of view.readers) {
			const { at } = reader;
			if (at?.epoch === epoch && at.seq === seq && !about.isRewritten) continue;
			begin(view, subscriber, reader);
		}
	}

	/** Gives a reader what it has not: what it missed, or the snapshot and what followed it. */
	function begin(view: View, subscriber: Subscriber, reader: Reader): void {
		const { base, head } = view;
		if (base === undefined || head === undefined) return;
		const { wanted } = reader;
		reader.wanted = undefined;
		const since = wanted?.epoch === head.epoch ? wanted.lastSeq : undefined;
		const isDelta = since !== undefined && since >= base.data.seq && since <= head.seq;
		const from = isDelta ? since : base.data.seq;
		const place = isDelta ? { mode: "delta" as const, headSeq: head.seq } : { mode: "snapshot" as const, headSeq: from };
		const standing = isDelta ? view.standing : standingOf(base);
		subscriber.reply({ type: "copilot:stream-status", data: { conversationId: view.id, epoch: head.epoch, ...place, ...standing } });
		if (!isDelta) subscriber.reply(base);
		reader.at = { epoch: head.epoch, seq: from };
		for (const event of view.events.filter(({ seq }) => seq > from)) {
			// One that falls behind closes itself in the middle of it.
			if (view.readers.get(subscriber) !== reader) return;
			reader.at = { epoch: event.epoch, seq: event.seq };
			subscriber.event(event.frame, event);
		}
	}

	function join(id: ConversationId, subscriber: Subscriber, reader: Reader): { view: View; subscription: Subscription } {
		const view = open(id);
		view.readers.set(subscriber, reader);
		const close = () => {
			if (view.readers.get(subscriber) !== reader) return;
			view.readers.delete(subscriber);
			if (view.readers.size === 0 && views.get(id) === view) leaveSoon(view);
		};
		return { view, subscription: { close } };
	}

	function leaveSoon(view: View): void {
		view.linger = deps.clock.after(LINGER_MS, () => drop(view));
		const lingering = [...views.values()].filter(({ readers }) => readers.size === 0);
		const oldest = lingering[0];
		if (lingering.length > MAX_LINGERING && oldest !== undefined) drop(oldest);
	}

	function drop(view: View): void {
		view.linger?.();
		view.stop();
		forgetBase(view);
		if (views.get(view.id) === view) views.delete(view.id);
	}

	function forgetBase(view: View): void {
		count(view, -view.chars);
		Object.assign(view, { base: undefined, baseChars: 0, events: [] });
	}
	function count(view: View, bytes: number): void {
		view.chars += bytes;
		account.add(bytes);
	}
	/** Whoever comes gets a new snapshot from the owner. */
	function free(bytes: number): number {
		const before = account.bytes();
		for (const view of views.values()) {
			if (before - account.bytes() >= bytes) break;
			forgetBase(view);
		}
		return before - account.bytes();
	}
	function setCopy(view: View, copyOf: number | undefined): void {
		if (view.copyOf === copyOf) return;
		view.copyOf = copyOf;
		for (const listener of copyListeners) listener(view.id, copyOf);
	}

	return {
		subscribe(id, position, subscriber) {
			const reader: Reader = { wanted: position, at: undefined };
			const { view, subscription } = join(id, subscriber, reader);
			if (view.base !== undefined) begin(view, subscriber, reader);
			else if (view.head !== undefined) watch(view);
			return subscription;
		},
		follow(id, subscriber) {
			const reader: Reader = { wanted: undefined, at: undefined };
			const { view, subscription } = join(id, subscriber, reader);
			// Before the first word of the owner nobody knows what "from now on" is: then it begins with a snapshot.
			reader.at = view.head;
			return subscription;
		},
		find(id) {
			const view = views.get(id);
			return view?.base === undefined ? undefined : { snapshot: view.base, turn: turnOf(view), copyOf: view.copyOf };
		},
		onCopy(listener) {
			copyListeners.add(listener);
			return () => copyListeners.delete(listener);
		},
		close() {
			for (const view of [...views.values()]) drop(view);
		},
	};
}

const STATUS = '{"type":"copilot:stream-status"';

/** How it stands after this event: a stop names the turn, and a reader who comes back is told. */
function noteStanding(view: View, frame: string): void {
	if (!frame.startsWith(STATUS)) return;
	const decoded = decodeServerFrame(frame);
	if (decoded.kind !== "frame" || decoded.frame.type !== "copilot:stream-status") return;
	const { status, turn } = decoded.frame.data;
	view.standing = turn === undefined ? { status } : { status, turn };
}

function standingOf({ data: { status, turn } }: Snapshot): Standing {
	if (turn === undefined) return { status };
	return { status, turn: { messageId: turn.messageId, userMessageId: turn.userMessageId, startedAt: turn.startedAt } };
}

const turnOf = ({ standing: { turn } }: View) => (turn === undefined ? undefined : messageId(turn.messageId));
