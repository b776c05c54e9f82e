import { type ConversationState, foldConversation, fromSnapshot } from "@rightseat/protocol/fold/conversation";
import { decodeServerFrame } from "@rightseat/protocol/frames/decode-server-frame";
import { isLogged, type ServerFrameOf } from "@rightseat/protocol/frames/server";
import { type ConversationId, type MessageId, messageId } from "../kernel/ids.ts";
import type { CommittedEvent, Subscriber } from "../log/stream-hub.ts";

/** Events that are kept beside the last snapshot; a reader that comes after more of them gets a new snapshot. */
export const MAX_VIEW_EVENTS = 2_000;
export const MAX_VIEW_CHARS = 1_048_576;

export type Snapshot = ServerFrameOf<"copilot:snapshot">;
type Standing = Pick<ServerFrameOf<"copilot:stream-status">["data"], "status" | "turn">;

/** Where a reader is, or said that it is before anything was known. */
export interface ViewReader {
	wanted: { epoch?: string; lastSeq?: number } | undefined;
	at: { epoch: string; seq: number } | undefined;
}

/** One conversation of another host as it is shown here: the last snapshot, what followed it, and who reads. It never waits for a reader. */
export interface RemoteView {
	readonly id: ConversationId;
	readonly readers: Map<Subscriber, ViewReader>;
	event(event: CommittedEvent): void;
	snapshot(frame: Snapshot, about: { isRewritten: boolean; chars: number }): void;
	/** Gives a reader what it has not: what it missed, or the snapshot and what followed it. Nothing before the first snapshot. */
	begin(subscriber: Subscriber, reader: ViewReader): void;
	/** The snapshot and what followed are not kept any more: whoever comes needs a new one. */
	forget(): void;
	base(): Snapshot | undefined;
	head(): { epoch: string; seq: number } | undefined;
	/** The turn that runs. */
	turn(): MessageId | undefined;
	/** All that is shown of it, as every reader shows it. */
	state(): ConversationState | undefined;
}

/** `count` hears of every byte that is kept, and of what is let go. */
export function createRemoteView(id: ConversationId, count: (bytes: number) => void): RemoteView {
	const readers = new Map<Subscriber, ViewReader>();
	let base: Snapshot | undefined;
	let events: CommittedEvent[] = [];
	let [baseBytes, bytes] = [0, 0];
	let head: { epoch: string; seq: number } | undefined;
	let standing: Standing = { status: "idle" };

	function add(more: number): void {
		bytes += more;
		count(more);
	}
	function forget(): void {
		add(-bytes);
		base = undefined;
		baseBytes = 0;
		events = [];
	}
	function begin(subscriber: Subscriber, reader: ViewReader): void {
		if (base === undefined || head === undefined) return;
		const { wanted } = reader;
		reader.wanted = undefined;
		const since = wanted?.epoch === head.epoch ? wanted.lastSeq : undefined;
		const isDelta = since !== undefined && since >= base.data.seq && since <= head.seq;
		const from = isDelta ? since : base.data.seq;
		const place = isDelta ? { mode: "delta" as const, headSeq: head.seq } : { mode: "snapshot" as const, headSeq: from };
		const data = { conversationId: id, epoch: head.epoch, ...place, ...(isDelta ? standing : standingOf(base)) };
		subscriber.reply({ type: "copilot:stream-status", data });
		if (!isDelta) subscriber.reply(base);
		reader.at = { epoch: head.epoch, seq: from };
		for (const event of events.filter(({ seq }) => seq > from)) {
			// One that falls behind closes itself in the middle of it.
			if (readers.get(subscriber) !== reader) return;
			reader.at = { epoch: event.epoch, seq: event.seq };
			subscriber.event(event.frame, event);
		}
	}

	return {
		...{ id, readers, begin, forget },
		event(event) {
			head = { epoch: event.epoch, seq: event.seq };
			standing = standingAfter(event.frame) ?? standing;
			if (base !== undefined) {
				events.push(event);
				add(2 * event.frame.length);
				if (events.length > MAX_VIEW_EVENTS || bytes - baseBytes > 2 * MAX_VIEW_CHARS) forget();
			}
			for (const [subscriber, reader] of readers) {
				if (reader.at === undefined || reader.at.epoch !== event.epoch || reader.at.seq !== event.seq - 1) continue;
				reader.at = head;
				subscriber.event(event.frame, event);
			}
		},
		snapshot(frame, { isRewritten, chars }) {
			forget();
			const { epoch, seq } = frame.data;
			base = frame;
			baseBytes = 2 * chars;
			head = { epoch, seq };
			standing = standingOf(frame);
			add(baseBytes);
			for (const [subscriber, reader] of readers) {
				const { at } = reader;
				if (at?.epoch !== epoch || at.seq !== seq || isRewritten) begin(subscriber, reader);
			}
		},
		base: () => base,
		head: () => head,
		state: () => base && events.reduce((state, { frame }) => after(state, frame), fromSnapshot(base.data)),
		turn: () => (standing.turn === undefined ? undefined : messageId(standing.turn.messageId)),
	};
}

/** The state after one more event; one that nobody here knows changes nothing. */
function after(state: ConversationState, frame: string): ConversationState {
	const decoded = decodeServerFrame(frame);
	return decoded.kind === "frame" && isLogged(decoded.frame) ? foldConversation(state, decoded.frame) : state;
}

const STATUS = '{"type":"copilot:stream-status"';

/** How it stands after this event, if that says so: a stop names the turn, and a reader who comes back is told. */
function standingAfter(frame: string): Standing | undefined {
	if (!frame.startsWith(STATUS)) return undefined;
	const decoded = decodeServerFrame(frame);
	if (decoded.kind !== "frame" || decoded.frame.type !== "copilot:stream-status") return undefined;
	const { status, turn } = decoded.frame.data;
	return turn === undefined ? { status } : { status, turn };
}

function standingOf({ data: { status, turn } }: Snapshot): Standing {
	if (turn === undefined) return { status };
	return { status, turn: { messageId: turn.messageId, userMessageId: turn.userMessageId, startedAt: turn.startedAt } };
}
