import type { Mutant } from "./mutant.ts";

const AT = "packages/web/src";

export const PAGE_MUTANTS: Mutant[] = [
	{
		name: "the page shows an event twice",
		file: `${AT}/conversation/apply-frame.ts`,
		search: 'if (seq === undefined || seq <= view.lastSeq) return { kind: "dropped" };',
		replace: 'if (seq === undefined) return { kind: "dropped" };',
		tests: [`${AT}/conversation/apply-frame.test.ts`],
	},
	{
		name: "the page shows what comes after a gap",
		file: `${AT}/conversation/apply-frame.ts`,
		search: 'if (seq > view.lastSeq + 1) return { kind: "resubscribe" };',
		replace: "",
		tests: [`${AT}/conversation/apply-frame.test.ts`],
	},
	{
		name: "the page takes an event of another history",
		file: `${AT}/conversation/apply-frame.ts`,
		search: 'if (epoch !== view.epoch) return { kind: "resubscribe" };\n\tif (seq',
		replace: "if (seq",
		tests: [`${AT}/conversation/apply-frame.test.ts`],
	},
	{
		name: "an event that the page cannot read looks like a gap for ever",
		file: `${AT}/conversation/apply-frame.ts`,
		search: 'if (frame.type === "unknown-event") return { kind: "applied", view: { ...view, lastSeq: seq } };',
		replace: 'if (frame.type === "unknown-event") return { kind: "dropped" };',
		tests: [`${AT}/conversation/apply-frame.test.ts`],
	},
	{
		name: "what was typed hours ago goes out by itself",
		file: `${AT}/outbox/outbox.ts`,
		search: 'if (clock.now() - item.createdAt > HOLD_AFTER_MS) change(item.clientMessageId, { state: "held" });\n\t\t\t\telse transmit',
		replace: "transmit",
		tests: [`${AT}/outbox/outbox.test.ts`],
	},
	{
		name: "a prompt is sent before the device has it",
		file: `${AT}/outbox/outbox.ts`,
		search: 'await keep(store.put("outbox", item.clientMessageId, item));',
		replace: 'void keep(store.put("outbox", item.clientMessageId, item));\n\t\t\ttransmit(item);',
		tests: [`${AT}/outbox/outbox.test.ts`],
	},
	{
		name: "a prompt that was confirmed comes back with a reload",
		file: `${AT}/outbox/outbox.ts`,
		search: 'if (known === undefined) return;\n\t\t\tvoid keep(store.delete("outbox", id));',
		replace: "if (known === undefined) return;",
		tests: [`${AT}/outbox/outbox.test.ts`],
	},
	{
		name: "a prompt is lost when the page is left in the moment of Enter",
		file: `${AT}/storage/write-ahead-outbox.ts`,
		search: "writeStorage(notes, PREFIX + key, JSON.stringify(value));",
		replace: "",
		tests: [`${AT}/storage/write-ahead-outbox.test.ts`],
	},
	{
		name: "late words of a socket that was replaced are shown",
		file: `${AT}/connection/connection.ts`,
		search: "old.onText = ignore;",
		replace: "",
		tests: [`${AT}/connection/connection.test.ts`],
	},
	{
		name: "links to scripts can be pressed",
		file: `${AT}/markdown/parser.ts`,
		search: "return SAFE_SCHEMES.has(url.protocol) ? url : undefined;",
		replace: "return url;",
		tests: [`${AT}/markdown/markdown.test.tsx`, `${AT}/markdown/hostile-text.test.ts`],
	},
	{
		name: "a link to a picture becomes one that is fetched",
		file: `${AT}/markdown/link.tsx`,
		search: "<ImageOff size={14} aria-hidden />",
		replace: "<img src={url.href} alt={alt} />",
		tests: [`${AT}/markdown/markdown.test.tsx`, `${AT}/markdown/hostile-text.test.ts`],
	},
];
