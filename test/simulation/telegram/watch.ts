import { RETRY_MS } from "../../../packages/server/src/core/active/storage-retry.ts";
import { conversationId as toId } from "../../../packages/server/src/core/kernel/ids.ts";
import { numberOf } from "../../support/bot-api/params.ts";
import type { Life } from "../frame/life.ts";
import { BOB, countTap, type TelegramScene } from "./scene.ts";

/** The first update of a round, as the emulator numbers them. */
const FIRST_UPDATE = 1_000;
const SHOWING = new Set(["sendMessage", "sendDocument", "editMessageText"]);

/** Looks at what leaves the server and at what each chat shows, while it happens. */
export function watchChats(scene: TelegramScene): { began(life: Life): void; check(): void } {
	const { world, network } = scene;
	let confirmed = FIRST_UPDATE;
	/** When the disk began to work, since it last refused. */
	let worksSince: number | undefined;
	let lastCheck = Number.NEGATIVE_INFINITY;
	/** Answers that were there at the last look. */
	let earlier = new Set<string>();

	function checkConfirmed(life: Life): void {
		const [row] = life.disk.look(
			"SELECT count(*) AS known FROM telegram_inbox WHERE update_id >= ? AND update_id < ?",
			FIRST_UPDATE,
			confirmed,
		);
		if (Number(row?.known) !== confirmed - FIRST_UPDATE)
			world.violate(
				"confirmed-is-stored",
				`Up to ${confirmed - 1} is confirmed, and stored are ${row?.known} of ${confirmed - FIRST_UPDATE}`,
			);
	}

	network.onCall(({ method, params }, life) => {
		if (method === "getUpdates") {
			const offset = numberOf(params, "offset") ?? 0;
			if (offset <= confirmed) return;
			confirmed = offset;
			checkConfirmed(life);
			return;
		}
		if (!SHOWING.has(method)) return;
		const text = typeof params.text === "string" ? params.text : "";
		if (text.includes("s3cret-value")) world.violate("chat-is-told-no-secret", text);
		const chatId = numberOf(params, "chat_id") ?? 0;
		if (scene.removed.has(chatId) && !/[0-9A-Z]-/.test(text)) world.violate("removed-hears-nothing", `${method} ${text}`);
	});

	return {
		began(life) {
			worksSince = life.opened.health().state === "ok" ? Number.NEGATIVE_INFINITY : undefined;
			// It may refuse and work again between two looks.
			life.opened.onHealth(({ state }) => {
				if (life.isAlive()) worksSince = state === "ok" ? world.clock.elapsed() : undefined;
			});
			checkConfirmed(life);
			const people = life.disk.look("SELECT user_id FROM telegram_people").map(({ user_id }) => Number(user_id));
			for (const id of scene.removed) if (people.includes(id)) scene.removed.delete(id);
			// A removal may have killed the process that was told of it.
			if (life.number > 0 && !people.includes(BOB.id)) scene.everRemoved.add(BOB.id);
			for (const tap of scene.untold.splice(0)) countTap(scene, life, tap);
		},
		check() {
			const life = scene.life();
			if (life === undefined) return;
			const now = world.clock.elapsed();
			// What the disk refused is tried again some time after it works.
			const isTriedAgain = worksSince !== undefined && now - worksSince > RETRY_MS;
			if (!life.opened.store.disk.busy() && isTriedAgain) scene.restedAt.set(life, now);
			const rows = life.disk.look("SELECT chat_id, conversation_id, created_at FROM telegram_chats");
			for (const chatId of [...scene.bound.keys()]) if (!rows.some((row) => Number(row.chat_id) === chatId)) scene.bound.delete(chatId);
			const answers = answersOf(life);
			for (const row of rows) {
				const [chatId, conversationId] = [Number(row.chat_id), String(row.conversation_id)];
				const since = Number(row.created_at);
				// The chat hears that a form has ended when that is durable, and takes what is typed until then for a field.
				const isHeardLater = scene.formAt.get(chatId) === lastCheck && life.opened.store.disk.busy();
				if (isHeardLater || life.conversations.pending(toId(conversationId)).forms.length > 0) scene.formAt.set(chatId, now);
				const known = scene.bound.get(chatId);
				if (known?.conversationId === conversationId && known.since === since) continue;
				// Not the answer of a turn that ran then, also where a crash has ended it since.
				const before = answers.filter((each) => each.of === conversationId && (earlier.has(each.id) || each.at <= since));
				scene.bound.set(chatId, { conversationId, since, before: new Set(before.map(({ id }) => id)) });
				scene.shown.set(chatId, (scene.shown.get(chatId) ?? new Set()).add(conversationId));
			}
			earlier = new Set(answers.map(({ id }) => id));
			lastCheck = now;
		},
	};
}

function answersOf(life: Life): { of: string; id: string; at: number }[] {
	const rows = life.disk.look("SELECT conversation_id, id, created_at FROM messages WHERE role = 'assistant'");
	return rows.map((row) => ({ of: String(row.conversation_id), id: String(row.id), at: Number(row.created_at) }));
}
