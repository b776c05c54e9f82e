import { join } from "node:path";
import { createConversations } from "../packages/server/src/core/conversations/create-conversations.ts";
import { systemClock } from "../packages/server/src/core/kernel/clock.ts";
import { type ConversationId, randomIds, seq } from "../packages/server/src/core/kernel/ids.ts";
import { silentLogger } from "../packages/server/src/core/kernel/logger.ts";
import type { OpenedStore } from "../packages/server/src/store/open-store.ts";
import { loadSqlite } from "../packages/server/src/store/sqlite/sqlite-loader.ts";
import { agentsOf } from "../test/support/agents.ts";
import { createScriptedRuntime } from "../test/support/scripted-runtime.ts";
import { createScriptedShell } from "../test/support/scripted-shell.ts";
import type { Benchmark } from "./support/benchmark.ts";
import { addConversation, addMessages, openBenchStore } from "./support/filled-store.ts";
import { interleave, timed } from "./support/pairs.ts";
import { atMost, ratio, row } from "./support/row.ts";
import { withScratch } from "./support/scratch.ts";

/** Opening a long conversation, and what a commit costs beside the same rows in a bare database. */
export const benchmark: Benchmark = {
	name: "storage",
	run: ({ quick }) =>
		withScratch(async (home) => {
			const opened = openBenchStore(home);
			const id = addConversation(opened, "A long one");
			addMessages(opened, id, 10_000);
			const open = await openingTimes(opened, id, home, quick ? 5 : 50);
			const commits = await commitTimes(opened, id, home, quick ? 20 : 300);
			await opened.close();
			return {
				rows: [
					row({ name: "open a conversation of 10,000 messages", unit: "ms", ...open, goal: atMost(50), quick }),
					row({ name: "one durable commit of ten events, against bare SQLite", unit: "ms", ...commits, goal: ratio(2), quick }),
					row({ name: "durable commits per second", unit: "/s", ours: rates(commits.ours), limit: rates(commits.limit), quick }),
				],
			};
		}),
};

const rates = (times: readonly number[]) => times.map((ms) => 1_000 / ms);

/** What a page asks for: the conversation, its newest messages, and the subscription with its snapshot. */
function openingTimes(opened: OpenedStore, id: ConversationId, home: string, rounds: number) {
	const conversations = createConversations({
		...{
			store: opened.store,
			agents: agentsOf({ copilot: createScriptedRuntime() }),
			shell: createScriptedShell(),
			clock: systemClock,
			ids: randomIds,
		},
		...{ logger: silentLogger, directories: { resolve: async (path: string) => path } },
		config: { workdir: () => home, defaultModel: () => undefined, permissions: () => "auto", askTimeoutMs: 120_000, maxTurns: 16 },
	});
	const newest = opened.sql.prepare("SELECT * FROM messages WHERE conversation_id = ? ORDER BY position DESC LIMIT 100");
	const ignore = { event: () => undefined, reply: () => undefined };
	return interleave(rounds, {
		limit: () => timed(() => JSON.stringify(newest.all(id))),
		ours: () =>
			timed(() => {
				conversations.get(id);
				JSON.stringify(conversations.messages(id, { limit: 100 }));
				conversations.subscribe(id, {}, ignore).close();
			}),
	});
}

function commitTimes(opened: OpenedStore, id: ConversationId, home: string, rounds: number) {
	const { module } = loadSqlite();
	const bare = new module.DatabaseSync(join(home, "bare.db"));
	bare.exec(
		"PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; CREATE TABLE events (id TEXT, seq INTEGER, frame TEXT, PRIMARY KEY (id, seq)) WITHOUT ROWID",
	);
	const insert = bare.prepare("INSERT INTO events VALUES (?, ?, ?)");
	const frame = JSON.stringify({ type: "copilot:delta", data: { conversationId: id, content: "a few words of an answer " } });
	let head = 0;
	const ten = (add: (place: number) => void) => {
		for (let count = 0; count < 10; count += 1) add(head + count + 1);
	};
	return interleave(rounds, {
		limit: () =>
			timed(() => {
				bare.exec("BEGIN");
				ten((place) => insert.run(id, place, frame));
				bare.exec("COMMIT");
			}),
		async ours() {
			const ms = await timed(() => {
				opened.store.transaction(() => {
					ten((place) => opened.store.events.append(id, seq(place), frame));
					opened.store.conversations.update(id, { headSeq: seq(head + 10) });
				});
				return opened.store.durable();
			});
			head += 10;
			return ms;
		},
	}).finally(() => bare.close());
}
