import type { ConversationState } from "@rightseat/protocol/fold/conversation";
import { decodeServerFrame } from "@rightseat/protocol/frames/decode-server-frame";
import type { Message } from "@rightseat/protocol/model/message";
import { type Cancel, type Clock, isoTime } from "../kernel/clock.ts";
import { type ConversationId, type MessageId, epoch as toEpoch, seq as toSeq } from "../kernel/ids.ts";
import type { MemoryLedger } from "../kernel/memory-ledger.ts";
import type { Subscriber, Subscription } from "../log/stream-hub.ts";
import type { Fleet } from "../ports/fleet.ts";
import { createRemoteView, type RemoteView, type Snapshot, type ViewReader } from "./remote-view.ts";

/** One that nobody looks at any more is followed for so long, for whoever loads the page again, and so many at once. */
const LINGER_MS = 30_000;
/** Whoever asks once for a conversation of which nothing is known here waits so long for its host or a copy. */
const FIRST_WORD_MS = 3_000;
export const MAX_LINGERING = 16;

/** Conversations of other hosts that somebody here looks at, each followed once. */
export interface RemoteViews {
	/** Status, then what was missed or a snapshot, then what follows: at once if it is known here, else when its host or a copy has told it. */
	subscribe(id: ConversationId, position: { epoch?: string; lastSeq?: number }, subscriber: Subscriber): Subscription;
	/** What follows from now on. */
	follow(id: ConversationId, subscriber: Subscriber): Subscription;
	/** The turn that runs now, as far as it is known here. */
	turn(id: ConversationId): MessageId | undefined;
	/** Which of those that are shown here has this request open. */
	asking(requestId: string): ConversationId | undefined;
	/** The newest messages, as far as they are shown here now. */
	recent(id: ConversationId, limit: number): Message[];
	/** All that is shown of it, or will be as soon as its host or a copy has told it; undefined when neither does in time. */
	state(id: ConversationId): Promise<ConversationState | undefined>;
	close(): void;
}

interface Watched {
	readonly view: RemoteView;
	stop: () => void;
	linger: Cancel | undefined;
}

export function createRemoteViews(deps: { fleet: Pick<Fleet, "watch">; clock: Clock; memory: MemoryLedger }): RemoteViews {
	const watched = new Map<ConversationId, Watched>();
	const account = deps.memory.account("fleet views", { order: 0, free });

	function open(id: ConversationId): Watched {
		const known = watched.get(id);
		if (known !== undefined) {
			known.linger?.();
			known.linger = undefined;
			return known;
		}
		const opened: Watched = { view: createRemoteView(id, account.add), stop: () => undefined, linger: undefined };
		watched.set(id, opened);
		watch(opened);
		return opened;
	}

	/** Begins with a snapshot, also when it was followed before. */
	function watch(one: Watched): void {
		one.stop();
		const { view } = one;
		let isOver = false;
		const end = deps.fleet.watch(view.id, {
			event(frame, { epoch, seq }) {
				if (!isOver) view.event({ conversationId: view.id, epoch: toEpoch(epoch), seq: toSeq(seq), frame });
			},
			snapshot(text, _, { isRewritten, copyOf }) {
				const decoded = decodeServerFrame(text);
				if (isOver || decoded.kind !== "frame" || decoded.frame.type !== "copilot:snapshot") return;
				view.snapshot(copyOf === undefined ? decoded.frame : asCopy(decoded.frame, copyOf), { isRewritten, chars: text.length });
			},
			gone: () => drop(one),
		});
		one.stop = () => {
			isOver = true;
			end();
		};
	}

	function join(id: ConversationId, subscriber: Subscriber, reader: ViewReader): { one: Watched; subscription: Subscription } {
		const one = open(id);
		const { readers } = one.view;
		readers.set(subscriber, reader);
		const close = () => {
			if (readers.get(subscriber) !== reader) return;
			readers.delete(subscriber);
			if (readers.size === 0 && watched.get(id) === one) leaveSoon(one);
		};
		return { one, subscription: { close } };
	}

	function leaveSoon(one: Watched): void {
		one.linger = deps.clock.after(LINGER_MS, () => drop(one));
		const lingering = [...watched.values()].filter(({ view }) => view.readers.size === 0);
		const oldest = lingering[0];
		if (lingering.length > MAX_LINGERING && oldest !== undefined) drop(oldest);
	}

	function drop(one: Watched): void {
		one.linger?.();
		one.stop();
		one.view.forget();
		if (watched.get(one.view.id) === one) watched.delete(one.view.id);
	}

	/** Whoever comes gets a new snapshot from the owner. */
	function free(bytes: number): number {
		const before = account.bytes();
		for (const { view } of watched.values()) {
			if (before - account.bytes() >= bytes) break;
			view.forget();
		}
		return before - account.bytes();
	}

	const subscribe: RemoteViews["subscribe"] = (id, position, subscriber) => {
		const reader: ViewReader = { wanted: position, at: undefined };
		const { one, subscription } = join(id, subscriber, reader);
		if (one.view.base() !== undefined) one.view.begin(subscriber, reader);
		else if (one.view.head() !== undefined) watch(one);
		return subscription;
	};

	return {
		subscribe,
		follow(id, subscriber) {
			const reader: ViewReader = { wanted: undefined, at: undefined };
			const { one, subscription } = join(id, subscriber, reader);
			// Before the first word of the owner nobody knows what "from now on" is: then it begins with a snapshot.
			reader.at = one.view.head();
			return subscription;
		},
		turn: (id) => watched.get(id)?.view.turn(),
		asking: (requestId) => [...watched.values()].find(({ view }) => isAsked(view.state(), requestId))?.view.id,
		recent: (id, limit) => watched.get(id)?.view.state()?.messages.slice(-limit) ?? [],
		async state(id) {
			let told = () => undefined;
			const first = new Promise<void>((resolve) => {
				told = () => void resolve();
			});
			const reading = subscribe(id, {}, { event: () => undefined, reply: (frame) => void (frame.type === "copilot:snapshot" && told()) });
			const cancel = deps.clock.after(FIRST_WORD_MS, told);
			await first;
			cancel();
			reading.close();
			return watched.get(id)?.view.state();
		},
		close() {
			for (const one of [...watched.values()]) drop(one);
		},
	};
}

function isAsked(state: ConversationState | undefined, requestId: string): boolean {
	const open = state === undefined ? [] : [...state.plans, ...state.budgets, ...state.forms];
	return open.some((request) => request.requestId === requestId);
}

/** Its host is away: this is how it stood then. */
const asCopy = (frame: Snapshot, copyOf: number): Snapshot => ({ ...frame, data: { ...frame.data, copyOf: isoTime(copyOf) } });
