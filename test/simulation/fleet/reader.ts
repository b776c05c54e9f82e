import { remoteIdOf } from "@rightseat/protocol/fleet/ids";
import { type ConversationState, foldConversation, fromSnapshot } from "@rightseat/protocol/fold/conversation";
import { decodeServerFrame } from "@rightseat/protocol/frames/decode-server-frame";
import { isLogged } from "@rightseat/protocol/frames/server";
import { AppError } from "../../../packages/server/src/core/kernel/errors.ts";
import { type ConversationId, conversationId } from "../../../packages/server/src/core/kernel/ids.ts";
import type { Subscriber, Subscription } from "../../../packages/server/src/core/log/stream-hub.ts";
import type { World } from "../frame/part.ts";
import type { Member } from "./scene.ts";

/** A page on one host that shows a conversation of another. It outlives the processes of both. */
export interface Reader {
	readonly console: Member;
	readonly owner: Member;
	/** On its host. */
	readonly ownId: string;
	/** On the console. */
	readonly id: ConversationId;
	readonly at: { epoch: string; seq: number } | undefined;
	readonly state: ConversationState | undefined;
	/** The console has a process again, or the page comes back. */
	open(): void;
	/** Its console is gone, or the page. */
	close(): void;
	/**
	 * Its owner was rolled back without a word. The console notices while it runs, by the chain, if it has heard of the conversation; one that was started
	 * since, or has heard nothing yet, knows of a page only an epoch and a number, which two histories can share: that page is loaded again.
	 */
	rolledBack(): void;
}

export function createReader(world: World, place: { console: Member; owner: Member; ownId: string }, shown: Shown): Reader {
	const { console: here, owner, ownId } = place;
	const id = conversationId(remoteIdOf(owner.id, ownId));
	let at: Reader["at"];
	let state: ConversationState | undefined;
	let subscription: Subscription | undefined;
	/** Frames of a subscription that is over say nothing. */
	let visits = 0;
	/** The process of the console that saw its owner rolled back. */
	let witness: Member["run"] | "none" = here.run !== undefined && owner.witnesses.has(here.run) ? here.run : "none";
	/** The process of the console that told the page something last. */
	let teller: Member["run"];

	function subscriber(visit: number): Subscriber {
		return {
			reply(frame) {
				if (visit !== visits) return;
				teller = here.run;
				if (frame.type === "copilot:stream-status" && frame.data.mode === "delta" && frame.data.epoch !== at?.epoch)
					world.violate("fleet-order", `${id}: a page at ${at?.epoch} is promised what follows ${frame.data.epoch}`);
				if (frame.type !== "copilot:snapshot") return;
				const { data } = frame;
				world.count(data.copyOf === undefined ? "fleet: a snapshot was shown" : "fleet: a copy was shown");
				at = { epoch: data.epoch, seq: data.seq };
				state = fromSnapshot(data);
				// A copy may be of what its owner had before, and so may what the process that saw it has in memory.
				if (data.copyOf === undefined && witness !== here.run) witness = "none";
			},
			event(frame, { epoch, seq }) {
				if (visit !== visits) return;
				if (at === undefined || at.epoch !== epoch || seq !== at.seq + 1)
					world.violate("fleet-order", `${id}: event ${seq} of ${epoch} after ${at?.seq} of ${at?.epoch}`);
				at = { epoch, seq };
				const decoded = decodeServerFrame(frame);
				if (state !== undefined && decoded.kind === "frame" && isLogged(decoded.frame)) state = foldConversation(state, decoded.frame);
				// As its owner wrote it.
				shown(owner, ownId, { epoch, seq, frame: frame.replace(id, ownId) });
			},
		};
	}
	function close(): void {
		visits += 1;
		if (here.run?.life.isAlive() === true) subscription?.close();
		subscription = undefined;
	}
	return {
		...{ console: here, owner, ownId, id, close },
		get at() {
			return at;
		},
		get state() {
			return state;
		},
		open() {
			const { run } = here;
			if (run === undefined || subscription !== undefined) return;
			visits += 1;
			const visit = visits;
			try {
				const isReloaded = witness !== "none" && witness !== run;
				if (isReloaded) world.count("fleet: a page was loaded again");
				const position = at === undefined || isReloaded ? {} : { epoch: at.epoch, lastSeq: at.seq };
				subscription = run.everywhere.conversations.subscribe(id, position, subscriber(visit));
			} catch (error) {
				// Who has just started does not know its fleet yet.
				if (!(error instanceof AppError)) throw error;
				world.trace.note(`${id} not opened: ${error.code}`);
			}
		},
		rolledBack() {
			const isKnown = teller === here.run;
			witness = isKnown ? here.run : undefined;
			if (!isKnown) close();
		},
	};
}

/** A page was shown this event of a conversation of that host. */
export type Shown = (owner: Member, ownId: string, event: { epoch: string; seq: number; frame: string }) => void;
