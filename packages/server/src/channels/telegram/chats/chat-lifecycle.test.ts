import { expect, test } from "vitest";
import { createChatLifecycle } from "./chat-lifecycle.ts";

test("[TG575] a group that became a supergroup is moved in one step and shown after it", () => {
	const seen: string[] = [];
	let isWriting = false;
	const see = (what: string) => () => void seen.push(`${what}${isWriting ? " in the step" : ""}`);
	const kept = { conversationIds: () => [], forgetConversation: () => undefined };
	const lifecycle = createChatLifecycle({
		sql: {
			transaction(work) {
				isWriting = true;
				try {
					return work();
				} finally {
					isWriting = false;
				}
			},
		},
		conversations: { find: () => undefined, onChange: () => () => undefined, pending: () => Promise.reject(new Error("not asked")) },
		access: { mayRead: () => true, moved: see("access") },
		bindings: { moveChat: see("bindings"), showAgain: see("shown"), shutOut: () => undefined },
		outbox: { ...kept, moveChat: see("outbox"), shutOut: () => undefined },
		buttons: { ...kept, moveChat: see("buttons") },
		prompts: kept,
	});
	lifecycle.moveChat(-5, -1005);
	expect(seen).toEqual(["access in the step", "outbox in the step", "buttons in the step", "bindings in the step", "shown"]);
});
