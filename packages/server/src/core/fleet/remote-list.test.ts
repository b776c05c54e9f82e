import { remoteIdOf } from "@rightseat/protocol/fleet/ids";
import type { Conversation } from "@rightseat/protocol/model/conversation";
import { expect, test } from "vitest";
import { conversationId } from "../kernel/ids.ts";
import { createRemoteList, MAX_ADOPTED } from "./remote-list.ts";

const HOST = { id: "abcdefgh234567ab", name: "desk" };
const conversation = (index: number): Conversation => ({
	...{
		id: remoteIdOf(HOST.id, `c${index}`),
		title: "",
		agent: "copilot",
		model: "",
		mode: "agent",
		effort: "",
		cwd: "/",
		sdkSessionId: null,
	},
	...{ pinned: false, archived: false, permissions: "auto", status: "idle", asking: false, epoch: "e1", headSeq: 0 },
	...{ createdAt: "", updatedAt: new Date(index * 1_000).toISOString(), host: HOST },
});

function createList(first: Conversation[]) {
	const listeners = new Set<() => void>();
	let now = first;
	const list = createRemoteList({
		conversations: () => now,
		onChange(listener) {
			listeners.add(listener);
			return () => listeners.delete(listener);
		},
	});
	const told: string[] = [];
	list.onChange((change) => told.push(`${change.kind} ${(change.kind === "deleted" ? change.id : change.conversation.id).slice(17)}`));
	const set = (next: Conversation[]) => {
		now = next;
		for (const listener of listeners) listener();
	};
	return { list, told, set };
}

test("[FL266] one that newer ones push out of a long list is not deleted; one that is missing among them is", () => {
	const all = Array.from({ length: 41 }, (_, index) => conversation(index));
	const { told, set } = createList(all.slice(0, 40));
	set(all.slice(1));
	expect(told).toEqual(["created c40"]);
	set(all.filter((_, index) => index > 1 && index !== 20));
	expect(told).toEqual(["created c40", "deleted c20"]);
});

test("[FL266] how many are known beyond the lists is bounded, and a listed one is not known twice", () => {
	const { list, told, set } = createList([]);
	list.adopt(Array.from({ length: MAX_ADOPTED + 10 }, (_, index) => conversation(index)));
	const find = (index: number) => list.find(conversationId(conversation(index).id))?.id;
	expect([find(9), find(10), list.list().length, told.length]).toEqual([undefined, conversation(10).id, 0, MAX_ADOPTED + 10]);
	set([conversation(50)]);
	set([]);
	expect(find(50)).toBeUndefined();
});
