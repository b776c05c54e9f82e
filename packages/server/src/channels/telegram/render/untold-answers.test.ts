import type { Message } from "@rightseat/protocol/model/message";
import { expect, test } from "vitest";
import { untoldAnswers } from "./untold-answers.ts";

const answer = (id: string, inReplyTo: string): Message => ({
	...{ id, role: "assistant", content: id, createdAt: "2026-01-01T00:00:00.000Z" },
	metadata: { outcome: "completed", tools: [], parts: [], inReplyTo },
});
const prompt = (id: string): Message => ({
	...{ id, role: "user", content: id, createdAt: "2026-01-01T00:00:00.000Z" },
	metadata: { origin: "web" },
});
const said = ["1", "2", "3"].flatMap((n) => [prompt(`u${n}`), answer(`a${n}`, `u${n}`)]);
const untold = (known: { waited?: string; told?: string }) => {
	const { answers, isCut } = untoldAnswers(said, known);
	return [...answers.map(({ id }) => id), ...(isCut ? ["and more"] : [])];
};

test("[TG582] those after the last one that was told are untold, and all when none was", () => {
	expect(untold({ told: "a1" })).toEqual(["a2", "a3"]);
	expect(untold({ told: "a3" })).toEqual([]);
	expect(untold({ told: "" })).toEqual(["a1", "a2", "a3"]);
});

test("[TG582] in what an older version stored, they begin with the one that the chat waits for", () => {
	expect(untold({})).toEqual([]);
	expect(untold({ waited: "u2" })).toEqual(["a2", "a3"]);
	expect(untold({ waited: "a prompt that has no answer" })).toEqual([]);
});

test("[TG582] one that is told and no longer among the newest messages is before them all", () => {
	expect(untold({ told: "a0" })).toEqual(["a1", "a2", "a3", "and more"]);
});
