import type { Conversation } from "@rightseat/protocol/model/conversation";

/** A conversation for tests. */
export function testConversation(fields: Partial<Conversation> = {}): Conversation {
	return {
		id: "c1",
		title: "Fix the build",
		model: "demo-pilot",
		cwd: "/home/ada/project",
		agent: "copilot",
		mode: "agent",
		effort: "",
		sdkSessionId: null,
		pinned: false,
		archived: false,
		permissions: "auto",
		status: "idle",
		asking: false,
		epoch: "e1",
		headSeq: 0,
		createdAt: "2026-11-15T09:00:00.000Z",
		updatedAt: "2026-11-15T09:00:00.000Z",
		...fields,
	};
}
