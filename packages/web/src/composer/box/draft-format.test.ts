import { expect, test } from "vitest";
import { DRAFTS_KEY, draftText, NEW_DRAFT, withDraftText } from "./draft-format.ts";
import { createDraftStore } from "./draft-store.ts";

const file = { id: "f1", name: "a.txt", mimeType: "text/plain", size: 3 };

function storage() {
	const kept = new Map<string, string>();
	return {
		getItem: (key: string) => kept.get(key) ?? null,
		setItem: (key: string, value: string) => void kept.set(key, value),
		read: (): unknown => JSON.parse(kept.get(DRAFTS_KEY) ?? "{}"),
	};
}

test("[PG264] the box before the code and the composer read each other's drafts; files and other drafts stay", () => {
	const device = storage();
	const drafts = createDraftStore(device, () => 5);
	drafts.save("c1", { text: "half", attachments: [file] });
	drafts.save(NEW_DRAFT, { text: "other", attachments: [] });
	expect(draftText(device.read(), "c1")).toBe("half");
	device.setItem(DRAFTS_KEY, JSON.stringify(withDraftText(device.read(), "c1", { text: "half a word", at: 6 })));
	device.setItem(DRAFTS_KEY, JSON.stringify(withDraftText(device.read(), "c2", { text: "first", at: 7 })));
	expect(drafts.load("c1")).toEqual({ text: "half a word", attachments: [file] });
	expect(drafts.load("c2")).toEqual({ text: "first", attachments: [] });
	expect(drafts.load(NEW_DRAFT).text).toBe("other");
});

test.each([[undefined], [null], ["text"], [[1]], [{ c1: 7 }], [{ c1: { text: 7 } }]])("[PG264] damaged drafts are no draft: %j", (kept) => {
	expect(draftText(kept, "c1")).toBeUndefined();
	expect(withDraftText(kept, "c1", { text: "new", at: 1 })).toMatchObject({ c1: { text: "new", attachments: [] } });
});
