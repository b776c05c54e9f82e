import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { createConversations } from "../packages/server/src/core/conversations/create-conversations.ts";
import { type Clock, systemClock } from "../packages/server/src/core/kernel/clock.ts";
import { type ConversationId, messageId, randomIds, conversationId as toConversationId } from "../packages/server/src/core/kernel/ids.ts";
import { silentLogger } from "../packages/server/src/core/kernel/logger.ts";
import { agentsOf } from "../test/support/agents.ts";
import { createScriptedRuntime } from "../test/support/scripted-runtime.ts";
import { createScriptedShell } from "../test/support/scripted-shell.ts";
import type { Benchmark } from "./support/benchmark.ts";
import { addConversation, openBenchStore } from "./support/filled-store.ts";
import { interleave, timed } from "./support/pairs.ts";
import { atMost, over, row } from "./support/row.ts";
import { withScratch } from "./support/scratch.ts";
import { median } from "./support/statistics.ts";
import { sentence } from "./support/words.ts";

const CONVERSATIONS = 10_000;
const ITEMS = 1_000;
const DELTAS = 40;

/** What waits for a person among very many conversations: to list it, to notice that it changed, and what words of an answer pay for it. */
export const benchmark: Benchmark = {
	name: "inbox",
	run: ({ quick }) =>
		withScratch(async (home) => {
			const rounds = quick ? 10 : 100;
			const full = openServer(join(home, "full"), { conversations: quick ? CONVERSATIONS / 5 : CONVERSATIONS, items: ITEMS });
			const empty = openServer(join(home, "empty"), { conversations: 0, items: 0 });
			const bare = full.sql.prepare("SELECT e.*, c.title FROM inbox_ends e JOIN conversations c ON c.id = e.conversation_id LIMIT 500");
			const list = await interleave(rounds, {
				limit: () => timed(() => JSON.stringify(bare.all())),
				ours: () => timed(() => JSON.stringify(full.conversations.inbox.list())),
			});
			const compared: number[] = [];
			for (let round = 0; round < rounds; round += 1) compared.push(await full.compare());
			const delta = await interleave(quick ? 2 : 15, { limit: empty.delta, ours: full.delta });
			await Promise.all([full.close(), empty.close()]);
			const among = `${ITEMS.toLocaleString("en-US")} items among ${(quick ? CONVERSATIONS / 5 : CONVERSATIONS).toLocaleString("en-US")} conversations`;
			return {
				rows: [
					row({ name: `inbox listed, ${among}, against the rows alone`, unit: "ms", ...list, goal: atMost(20), quick }),
					row({ name: `main thread held to see whether the inbox changed, ${among}`, unit: "ms", ours: compared, goal: atMost(10), quick }),
					row({ name: `a delta until it is shown, ${among}, against an empty inbox`, unit: "ms", ...delta, goal: over(0.2), quick }),
				],
			};
		}),
};

function openServer(home: string, size: { conversations: number; items: number }) {
	mkdirSync(home, { recursive: true, mode: 0o700 });
	const opened = openBenchStore(home);
	opened.store.transaction(() => {
		const ids: ConversationId[] = [];
		for (let index = 0; index < size.conversations; index += 1) ids.push(addConversation(opened, sentence(index), index));
		for (const [index, conversationId] of ids.slice(0, size.items).entries()) {
			const end = { conversationId, messageId: messageId(randomIds.next()), kind: "finished" as const, since: index };
			opened.store.inbox.setEnd({ ...end, why: sentence(index), code: "finished", params: {} });
		}
	});
	const runtime = createScriptedRuntime();
	/** How long the next work that was put off took. */
	let tookMs: (ms: number) => void = () => undefined;
	const clock: Clock = {
		...systemClock,
		soon: (run) =>
			systemClock.soon(() => {
				const begin = performance.now();
				run();
				tookMs(performance.now() - begin);
			}),
	};
	const conversations = createConversations({
		...{ store: opened.store, agents: agentsOf({ copilot: runtime }), shell: createScriptedShell(), clock, ids: randomIds },
		...{ logger: silentLogger, directories: { resolve: async (path: string) => path } },
		config: { workdir: () => home, defaultModel: () => undefined, permissions: () => "auto", askTimeoutMs: 120_000, maxTurns: 16 },
	});
	return {
		sql: opened.sql,
		conversations,
		compare() {
			const took = new Promise<number>((resolve) => {
				tookMs = resolve;
			});
			conversations.inbox.refresh();
			return took;
		},
		/** The median of one answer's words, one after the other. */
		async delta(): Promise<number> {
			const id = toConversationId((await conversations.create({})).id);
			conversations.prompt({ conversationId: id, prompt: "Go", origin: "web" });
			const turn = await runtime.nextTurn();
			let shown: () => void = () => undefined;
			const reader = conversations.subscribe(id, {}, { event: () => shown(), reply: () => undefined });
			await opened.store.durable();
			const times: number[] = [];
			for (let index = 0; index < DELTAS; index += 1)
				times.push(
					await timed(() => {
						const seen = new Promise<void>((resolve) => {
							shown = resolve;
						});
						turn.text(`${sentence(index)} `);
						return seen;
					}),
				);
			reader.close();
			turn.end();
			conversations.inbox.looked(id);
			return median(times);
		},
		async close() {
			await conversations.close(1_000);
			await opened.close();
		},
	};
}
