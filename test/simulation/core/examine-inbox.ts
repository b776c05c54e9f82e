import { conversationId } from "../../../packages/server/src/core/kernel/ids.ts";
import type { Life } from "../frame/life.ts";
import type { CoreScene } from "./core-part.ts";

/** Nothing runs: what waits is the queues that nobody has let go on and the ends that nobody has seen, each once. */
export function examineInbox({ world }: CoreScene, life: Life): void {
	const items = life.conversations.inbox.list();
	const ids = new Set(items.map(({ id }) => id));
	if (ids.size !== items.length)
		world.violate("inbox-is-what-waits", `Some item is there twice: ${JSON.stringify(items.map(({ id }) => id))}`);
	const resting = life.conversations
		.list({ limit: 100 })
		.conversations.flatMap(({ id }) => (life.conversations.queue(conversationId(id)).length > 0 ? [id] : []))
		.sort();
	const listed = items.flatMap(({ kind, conversationId: id }) => (kind === "queue-resting" ? [id ?? ""] : [])).sort();
	if (JSON.stringify(resting) !== JSON.stringify(listed))
		world.violate("inbox-is-what-waits", `Queues wait in ${JSON.stringify(resting)}, and the inbox says ${JSON.stringify(listed)}`);
	const asking = items.filter(({ kind }) => ["question", "permission", "plan", "form"].includes(kind));
	if (asking.length > 0) world.violate("inbox-is-what-waits", `Nothing runs, and the inbox asks: ${JSON.stringify(asking)}`);
}
