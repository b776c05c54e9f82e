import { answerText } from "@rightseat/protocol/fold/turn";
import type { RunningTurn } from "@rightseat/protocol/model/turn";
import { AppError } from "../../../packages/server/src/core/kernel/errors.ts";
import { type ConversationId, conversationId } from "../../../packages/server/src/core/kernel/ids.ts";
import type { Subscriber } from "../../../packages/server/src/core/log/stream-hub.ts";
import { SimulatedDeath } from "../frame/engine.ts";
import type { Life } from "../frame/life.ts";
import type { CoreScene } from "./core-part.ts";
import { foldOf, snapshotOf, storedFrames } from "./examine.ts";
import { isPart } from "./shown.ts";

/** The disk refuses, so nothing can end: what the log has open is what whoever comes now is shown, or the end that comes later would mean nothing to them. */
export function checkOpen(scene: CoreScene): void {
	const life = scene.life();
	if (life === undefined || life.opened.health().state === "ok") return;
	try {
		compare(scene, life);
		for (const id of scene.conversations) comeNow(scene, life, conversationId(id));
	} catch (error) {
		// It dies at any of its calls to the disk, also at those of a look.
		if (!(error instanceof SimulatedDeath)) throw error;
	}
}

function compare(scene: CoreScene, life: Life): void {
	for (const { id } of life.conversations.list({ limit: 100 }).conversations) {
		const shown = snapshotOf(life, id);
		if (shown === undefined) continue;
		const logged = foldOf(storedFrames(life, id));
		const [a, b] = [textOf(logged), textOf({ ...shown, turn: wholeTurn(shown.turn, logged.turn) })];
		if (a !== b) scene.world.violate("open-is-shown", `${id}: the log has open ${a}, and shown is ${b}`);
	}
}

/** Somebody opens it now, also one that no list has: what they are given is known from then on, whatever becomes of the disk. */
function comeNow({ world }: CoreScene, life: Life, id: ConversationId): void {
	const row = life.conversations.find(id);
	if (row === undefined) return;
	try {
		world.ledger.listed(id, snapshotOf(life, id)?.messages ?? []);
		const reader: Subscriber = {
			reply: () => undefined,
			event: (frame, { epoch, seq, conversationId: of }) => world.ledger.shown({ conversationId: of, epoch, seq, frame }),
		};
		life.conversations.subscribe(id, { epoch: row.epoch, lastSeq: Math.max(0, row.headSeq - REPLAYED) }, reader).close();
		world.count("somebody came while the disk refused");
	} catch (error) {
		if (!(error instanceof AppError && error.params?.reason === "in-doubt")) throw error;
	}
}
const REPLAYED = 8;

/** A snapshot has only so much room for a turn: of a very long one it shows a part, which the page makes whole with the stored message. */
const LONG_CHARS = 131_072;
const wholeTurn = (shown: RunningTurn | undefined, logged: RunningTurn | undefined) =>
	logged !== undefined &&
	shown?.messageId === logged.messageId &&
	answerText(logged).length > LONG_CHARS &&
	isPart(answerText(shown), answerText(logged))
		? logged
		: shown;

const textOf = ({ turn, commands }: { turn?: RunningTurn | undefined; commands: readonly { execId: string }[] }) =>
	JSON.stringify({
		turn: turn === undefined ? null : { id: turn.messageId, text: answerText(turn), tools: turn.tools.map(({ toolCallId }) => toolCallId) },
		commands: commands.map(({ execId }) => execId).sort(),
	});
