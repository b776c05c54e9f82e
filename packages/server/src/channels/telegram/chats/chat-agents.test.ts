import { expect, test } from "vitest";
import { agentsOf } from "../../../../../../test/support/agents.ts";
import { createScriptedRuntime } from "../../../../../../test/support/scripted-runtime.ts";
import { openTestStore } from "../../../store/store-harness.ts";
import { createChatAgents, MAX_CHOICES } from "./chat-agents.ts";

test("[TG143] so many choices are kept, and one whose agent is not there any more counts as none", () => {
	const { sql } = openTestStore();
	const chats = createChatAgents(sql, agentsOf({ copilot: createScriptedRuntime(), other: createScriptedRuntime() }));
	chats.choose({ chatId: 1, threadId: 7 }, "other");
	expect([chats.forNew({ chatId: 1, threadId: 7 }), chats.forNew({ chatId: 1 })]).toEqual([{ agent: "other" }, {}]);
	chats.choose({ chatId: 1, threadId: 7 }, "gone");
	expect(chats.forNew({ chatId: 1, threadId: 7 })).toEqual({});
	for (let chatId = 10; chatId < 10 + MAX_CHOICES + 5; chatId += 1) chats.choose({ chatId }, "other");
	const kept = sql.prepare("SELECT count(*) AS kept FROM telegram_state WHERE key LIKE 'agent:%'").get();
	expect(kept).toEqual({ kept: MAX_CHOICES });
	expect(chats.forNew({ chatId: 10 + MAX_CHOICES + 4 })).toEqual({ agent: "other" });
});
