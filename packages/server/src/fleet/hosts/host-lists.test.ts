import type { Conversation } from "@rightseat/protocol/model/conversation";
import { expect, test } from "vitest";
import { createHostLists } from "./host-lists.ts";

const conversation = (id: string, title = id): Conversation => ({
	...{ id, title, agent: "copilot", model: "", mode: "agent", effort: "", cwd: "/", sdkSessionId: null, pinned: false, archived: false },
	...{ permissions: "auto", status: "idle", asking: false, epoch: "e1", headSeq: 0, createdAt: "", updatedAt: "" },
});

test("[FL161] what a host said last of a conversation counts, whether it came alone or in a list that was read later", () => {
	const lists = createHostLists();
	const titles = () => lists.all((host) => `name of ${host}`).map(({ id, title, host }) => `${id} ${title} ${host?.name}`);
	lists.set("h", { at: 10, conversations: [conversation("a"), conversation("b")] });
	lists.change("h", { kind: "put", at: 20, conversation: conversation("a", "renamed") });
	lists.change("h", { kind: "gone", at: 21, id: "b" });
	lists.change("h", { kind: "put", at: 19, conversation: conversation("a", "late") });
	expect(titles()).toEqual(["h_a renamed name of h"]);
	lists.set("h", { at: 15, conversations: [conversation("a"), conversation("b"), conversation("c")] });
	expect(titles().sort()).toEqual(["h_a renamed name of h", "h_c c name of h"]);
	lists.set("h", { at: 12, conversations: [] });
	expect(titles()).toHaveLength(2);
	lists.set("h", { at: 30, conversations: [conversation("d")] });
	expect([titles(), lists.at("h")]).toEqual([["h_d d name of h"], 30]);
	lists.drop("h");
	expect(titles()).toEqual([]);
});

test("[FL161] what is known of one host is bounded, the oldest gives way", () => {
	const lists = createHostLists();
	for (let index = 0; index < 500; index++) lists.change("h", { kind: "put", at: index, conversation: conversation(`c${index}`) });
	const ids = lists.all(() => "").map(({ id }) => id);
	expect([ids.length, ids.at(-1)]).toEqual([200, "h_c499"]);
});
