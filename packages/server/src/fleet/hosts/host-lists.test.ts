import type { Conversation } from "@rightseat/protocol/model/conversation";
import { expect, test } from "vitest";
import { createHostLists, MAX_HOST_CHARS } from "./host-lists.ts";

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
	expect(lists.set("h", { at: 12, conversations: [] })).toBe(false);
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

test("[FL350] what is known of one host and of all is bounded in characters: the oldest of the host that speaks give way", () => {
	const lists = createHostLists(MAX_HOST_CHARS + 10_000);
	const ids = () => lists.all(() => "").map(({ id }) => id);
	const long = (id: string) => conversation(id, "x".repeat(100_000));
	lists.set("a", { at: 1, conversations: [long("a1"), long("a2"), long("a3")] });
	// The newest come first in a list.
	expect(ids()).toEqual(["a_a2", "a_a1"]);
	lists.change("a", { kind: "put", at: 2, conversation: long("a4") });
	lists.change("a", { kind: "put", at: 3, conversation: conversation("a5", "x".repeat(MAX_HOST_CHARS)) });
	expect(ids()).toEqual([]);
	lists.set("a", { at: 4, conversations: [long("a1"), long("a2")] });
	for (const [index, host] of ["b", "c", "d"].entries()) lists.change(host, { kind: "put", at: 1, conversation: long(`x${index}`) });
	expect(ids()).toEqual(["a_a2", "a_a1"]);
	lists.drop("a");
	lists.set("b", { at: 5, conversations: [long("b1")] });
	lists.set("c", { at: 5, conversations: [long("c1"), long("c2")] });
	expect(ids()).toEqual(["b_b1", "c_c1"]);
});

test("[FL355] a conversation that has not changed is the same object again, so that a thousand are compared at no cost", () => {
	const lists = createHostLists();
	lists.set("h", { at: 10, conversations: [conversation("a"), conversation("b")] });
	const [before, after] = [lists.all(() => "name"), lists.all(() => "name")];
	expect(after.every((each, index) => each === before[index])).toBe(true);
	lists.change("h", { kind: "put", at: 11, conversation: conversation("a", "renamed") });
	expect(lists.all(() => "name").map((each) => before.includes(each))).toEqual([true, false]);
	expect(lists.all(() => "another").map(({ host }) => host?.name)).toEqual(["another", "another"]);
	expect([lists.set("h", { at: 10, conversations: [] }), lists.set("h", { at: 12, conversations: [] })]).toEqual([false, true]);
});

test("[FL370] after a new run was heard, what it tells counts whatever its clock says, and what an earlier one told counts by its stamp", () => {
	const lists = createHostLists();
	const ids = () =>
		lists
			.all(() => "host")
			.map(({ id }) => id.slice(2))
			.sort();
	lists.set("h", { at: 50, conversations: [conversation("a")] }, true);
	lists.change("h", { kind: "put", at: 60, conversation: conversation("b") }, true);
	lists.begin("h");
	// What the earlier run has in the table is older than what it told.
	expect([lists.set("h", { at: 50, conversations: [conversation("a")] }), ids()]).toEqual([false, ["a", "b"]]);
	// It was there again unheard, and has told more.
	expect([lists.set("h", { at: 70, conversations: [conversation("a"), conversation("c")] }), ids()]).toEqual([true, ["a", "c"]]);
	lists.change("h", { kind: "gone", at: 5, id: "a" }, true);
	expect(ids()).toEqual(["c"]);
	expect([lists.set("h", { at: 6, conversations: [conversation("d")] }, true), ids()]).toEqual([true, ["d"]]);
	expect([lists.set("h", { at: 6, conversations: [] }, true), ids()]).toEqual([false, ["d"]]);
});
