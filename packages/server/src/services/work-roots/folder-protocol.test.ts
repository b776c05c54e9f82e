import { expect, test } from "vitest";
import { isFolderReply, isFolderRequest } from "./folder-protocol.ts";

test("[AR143] what the server and its folder process say to each other is taken only when every field is what its type says", () => {
	const answer = { kind: "look", found: { realPath: "/x", isDirectory: true } };
	expect([
		isFolderRequest({ id: 1, ask: { kind: "find", path: "/", query: "a" } }),
		isFolderReply({ id: 1, answer, stuck: 0 }),
		isFolderRequest({ id: 1, ask: { kind: "find", path: "/" } }),
		isFolderReply({ id: 1, answer }),
	]).toEqual([true, true, false, false]);
});
