import { expect, test } from "vitest";
import { createDraftStore, MAX_DRAFTS } from "./draft-store.ts";

function memoryStorage() {
	const values = new Map<string, string>();
	return { getItem: (key: string) => values.get(key) ?? null, setItem: (key: string, value: string) => void values.set(key, value) };
}

const file = { id: "a1", name: "plan.md", mimeType: "text/markdown", size: 12 };

test("[PG51] a draft is kept per conversation and survives a reload", () => {
	const storage = memoryStorage();
	const drafts = createDraftStore(storage, () => 1);
	drafts.save("one", { text: "half a thought", attachments: [file] });
	drafts.save("two", { text: "!git st", attachments: [] });
	const reloaded = createDraftStore(storage, () => 2);
	expect(reloaded.load("one")).toEqual({ text: "half a thought", attachments: [file] });
	expect(reloaded.load("two")).toEqual({ text: "!git st", attachments: [] });
	reloaded.save("one", { text: " ", attachments: [] });
	expect(drafts.load("one")).toEqual({ text: "", attachments: [] });
});

test("[PG51] only the newest drafts are kept", () => {
	let time = 0;
	const drafts = createDraftStore(memoryStorage(), () => ++time);
	for (let index = 0; index <= MAX_DRAFTS; index++) drafts.save(`c${index}`, { text: `text ${index}`, attachments: [] });
	expect(drafts.load("c0").text).toBe("");
	expect(drafts.load("c1").text).toBe("text 1");
	expect(drafts.load(`c${MAX_DRAFTS}`).text).toBe(`text ${MAX_DRAFTS}`);
});

test("[PG51] blocked or damaged storage never stops the composer", () => {
	const blocked = {
		getItem: () => {
			throw new Error("denied");
		},
		setItem: () => {
			throw new Error("quota");
		},
	};
	const drafts = createDraftStore(blocked, () => 1);
	expect(() => drafts.save("one", { text: "hello", attachments: [] })).not.toThrow();
	expect(drafts.load("one").text).toBe("");
	expect(createDraftStore({ getItem: () => '{"one":7}', setItem: () => undefined }, () => 1).load("one").text).toBe("");
});
