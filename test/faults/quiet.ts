import { browserRestlessness } from "./browser-traffic.ts";
import { chatThatWaits } from "./chats.ts";
import { wait } from "./wait.ts";
import type { World } from "./world.ts";

const QUIET_LIMIT_MS = 60_000;

/** Everything sent is acknowledged, nothing runs, and both pages have caught up. */
export async function quiet(world: World): Promise<void> {
	const limit = Date.now() + QUIET_LIMIT_MS;
	let state = "";
	while (Date.now() < limit) {
		await wait(150);
		state = await restlessness(world);
		if (state !== "") continue;
		await wait(400);
		state = await restlessness(world);
		if (state === "") return;
	}
	throw new Error(`Peace did not come within ${QUIET_LIMIT_MS / 1000} s: ${state}`);
}

/** Waits for something that must come; says what did not. */
export async function until(what: string, isSo: () => boolean | Promise<boolean>, limitMs = 20_000): Promise<void> {
	const limit = Date.now() + limitMs;
	while (!(await isSo())) {
		if (Date.now() > limit) throw new Error(`${what} did not happen within ${limitMs / 1000} s.`);
		await wait(15);
	}
}

async function restlessness(world: World): Promise<string> {
	const [index, waiting] = [...world.clients.entries()].find(([, client]) => !client.connected || client.unacknowledged > 0) ?? [];
	if (waiting !== undefined)
		return `page ${index} is ${waiting.connected ? `waiting for ${waiting.unacknowledged} acknowledgements` : "not connected"}`;
	const response = await world.server.api("/api/conversations?limit=50");
	const { conversations }: { conversations: { id: string; status: string; headSeq: number }[] } = await response.json();
	if (conversations.some((conversation) => conversation.status === "streaming")) return "a turn runs";
	const chat = await chatThatWaits(world);
	if (chat !== undefined) return `${chat} was not taken from Telegram`;
	const head = conversations.find((conversation) => conversation.id === world.conversationId)?.headSeq;
	const behind = world.clients.findIndex((client) => client.view.position.lastSeq !== head);
	return behind === -1
		? await browserRestlessness(world.page)
		: `page ${behind} is at ${world.clients[behind]?.view.position.lastSeq} of ${head}`;
}
