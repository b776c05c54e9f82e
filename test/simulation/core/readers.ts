import { AppError } from "../../../packages/server/src/core/kernel/errors.ts";
import { type ConversationId, conversationId } from "../../../packages/server/src/core/kernel/ids.ts";
import type { Subscriber } from "../../../packages/server/src/core/log/stream-hub.ts";
import type { Life } from "../frame/life.ts";
import type { World } from "../frame/part.ts";

/** Readers inside the process, one for each conversation: they see what every channel sees, in the moment in which it may leave the server. */
export function createReaders(world: World) {
	const at = new Map<string, { epoch: string; seq: number }>();
	let following = new Set<string>();
	return {
		began(life: Life) {
			following = new Set();
			for (const [id, position] of at) {
				const row = life.conversations.find(conversationId(id));
				if (row === undefined) at.delete(id);
				else if (row.epoch !== position.epoch) world.count("a new epoch");
			}
		},
		ended() {
			following = new Set();
		},
		/** From where it was in the process before, so that what was missed is replayed. */
		follow(life: Life, given: string) {
			const id: ConversationId = conversationId(given);
			if (following.has(given) || life.conversations.find(id) === undefined) return;
			const position = at.get(given);
			let last = position === undefined ? undefined : { ...position };
			const subscriber: Subscriber = {
				reply(frame) {
					if (frame.type === "copilot:snapshot") {
						last = { epoch: frame.data.epoch, seq: frame.data.seq };
						world.ledger.listed(given, frame.data.messages);
					} else if (frame.data.mode === "delta") world.count("a reader was replayed");
				},
				event(frame, { epoch, seq, conversationId: of }) {
					if (!life.isAlive()) return;
					if (last === undefined || last.epoch !== epoch || seq !== last.seq + 1)
						world.violate("no-gap", `${of}: event ${seq} of ${epoch} after ${last?.seq} of ${last?.epoch}`);
					last = { epoch, seq };
					at.set(of, last);
					world.ledger.shown({ conversationId: of, epoch, seq, frame });
					world.trace.note(`> ${frame}`);
				},
			};
			try {
				life.conversations.subscribe(id, position === undefined ? {} : { epoch: position.epoch, lastSeq: position.seq }, subscriber);
				following.add(given);
			} catch (error) {
				// After a failed sync a conversation may be in doubt; it is followed again in the next process.
				if (!(error instanceof AppError) || error.params?.reason !== "in-doubt") throw error;
			}
		},
		check: () => undefined,
	};
}
