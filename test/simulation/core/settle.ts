import { conversationId, messageId } from "../../../packages/server/src/core/kernel/ids.ts";
import { running } from "./agent-steps.ts";
import type { CoreScene } from "./core-part.ts";
import { examineInbox } from "./examine-inbox.ts";

/** A storage that cannot be written although its disk is fine is waited for this long. */
const STORAGE_ROUNDS = 80;

/** The agent ends what it does, commands end, people let queues go on; true when nothing is under way. */
export function settleAll(scene: CoreScene): boolean {
	const { world } = scene;
	const life = scene.life();
	if (life === undefined) return false;
	const { state, params } = life.opened.health();
	if (state !== "ok") {
		// Only a start mends a disk that failed to sync: somebody starts the server again.
		if (params?.reason === "sync-failed") world.host.kill();
		else if (++scene.roundsWithoutStorage > STORAGE_ROUNDS)
			world.violate("storage-comes-back", `The storage is ${state}: ${JSON.stringify(params)}`);
		return false;
	}
	let isAtRest = true;
	for (const turn of life.agent.turns) {
		isAtRest = false;
		turn.end("completed");
	}
	for (const command of running(scene) ?? []) {
		isAtRest = false;
		scene.finished.add(command);
		command.finish();
	}
	if (life.conversations.active().length > 0 || life.opened.store.disk.busy()) return false;
	if (!isAtRest) return false;
	// An end that could not be stored is tried again a second later.
	if (life.disk.look("SELECT 1 FROM commands WHERE ended_at IS NULL UNION ALL SELECT 1 FROM open_turns").length > 0) return false;
	examineInbox(scene, life);
	for (const { id } of life.conversations.list({ limit: 100 }).conversations) {
		const [first] = life.conversations.queue(conversationId(id));
		if (first === undefined) continue;
		world.count("a queue was resumed");
		life.conversations.sendQueuedNow(conversationId(id), messageId(first.messageId));
		isAtRest = false;
	}
	return isAtRest;
}
