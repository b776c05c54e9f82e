import { expect, test } from "vitest";
import { wordsIn } from "../words.ts";
import { createAnswering } from "./answering.ts";
import { describeAsk } from "./asks.ts";
import { createFloor } from "./floor.ts";

const look = { words: wordsIn("en"), paint: (text: string) => text };
const request = {
	...{ requestId: "f1", source: "shop\u001b[2J", message: "Where to?\nOne parcel", expiresAt: "" },
	schema: {
		type: "object",
		properties: {
			name: { type: "string", title: "Name", description: "As on the door", minLength: 2 },
			age: { type: "integer", minimum: 1 },
			gift: { type: "boolean", default: false },
			size: { type: "string", enum: ["s", "l"], enumNames: ["Small", "Large"], default: "l" },
			tags: { type: "array", items: { type: "string", enum: ["red", "blue", "green"] }, maxItems: 2 },
		},
		required: ["name", "gift"],
	},
};
const form = { kind: "form", request } as const;

/** What each line led to: the first row that it shows, or what is sent. */
function fillIn(lines: readonly string[], asked: Partial<typeof request> & { url?: string } = {}, words = look.words) {
	const answering = createAnswering({ kind: "form", request: { ...request, ...asked } }, "c1", { ...look, words });
	return lines.map((line) => {
		const taken = answering.take(line);
		return "frame" in taken ? taken.frame : taken.rows[0];
	});
}
const answer = (more: object) => ({ type: "copilot:form_response", data: { conversationId: "c1", requestId: "f1", ...more } });

test("[CL131] a form is shown with who asks, why, and every field, harmless on a terminal", () => {
	expect(describeAsk(form, look)).toEqual([
		"? shop␛[2J asks: Where to?",
		"  One parcel",
		...["Name (needed)", "age", "gift (needed)", "size", "tags"].map((name) => `  · ${name}`),
		"  One field after the other, sent after the last · d: decline · c: cancel",
	]);
	const page = { ...request, schema: { type: "object", properties: {} }, url: "https://example.org/login" };
	expect(describeAsk({ kind: "form", request: page }, { ...look, words: wordsIn("zh-Hant") })).toEqual([
		"? shop␛[2J 詢問： Where to?",
		"  One parcel",
		"  https://example.org/login",
		expect.stringMatching(/^ {2}如果信任.*d：拒絕 · c：取消$/),
	]);
});

test("[CL132] a form is filled in field by field and checked: Enter is the default or leaves out, numbers choose, d declines and c cancels", () => {
	const lines = ["", "A", "Ada", "0", "7", "maybe", "", "3", "1", "1,2,3", "1, green"];
	expect(fillIn(lines)).toEqual([
		"! Name: this is needed.",
		"! Name: at least 2 characters are needed.",
		"2/5  age",
		"! age: at least 1.",
		"3/5  gift (needed)",
		"! gift: this is not the kind of value that is asked for.",
		"4/5  size",
		"! size: this is not one of the choices.",
		"5/5  tags",
		"! tags: choose at most 2.",
		answer({ action: "accept", content: { name: "Ada", age: 7, gift: false, size: "s", tags: ["red", "green"] } }),
	]);
	expect(fillIn(["Ada", "", "y", "", ""]).at(-1)).toEqual(answer({ action: "accept", content: { name: "Ada", gift: true, size: "l" } }));
	expect(fillIn(["d"])).toEqual([answer({ action: "decline" })]);
	expect(fillIn(["Ada", "C"]).at(-1)).toEqual(answer({ action: "cancel" }));
	const letter = { schema: { type: "object", properties: { x: { type: "string" } }, required: [] } };
	expect(fillIn(["\\c"], Object(letter))).toEqual([answer({ action: "accept", content: { x: "c" } })]);
	const nothing = { schema: { type: "object", properties: {}, required: [] } };
	expect(fillIn(["", "y"], Object(nothing))).toEqual(["That is none of the answers above.", answer({ action: "accept", content: {} })]);
	expect(fillIn([""], {}, wordsIn("zh-Hant"))).toEqual(["「Name」必須填寫。"].map((text) => `! ${text}`));
	expect(createAnswering(form, "c1", look).rows()).toEqual(["1/5  Name (needed)", "  As on the door"]);
});

test("[CL134] what waited first is answered first, whatever comes meanwhile; the next one is shown again when it is its turn", () => {
	const floor = createFloor("c1", look);
	const permission = { kind: "permission", request: { requestId: "p1", kind: "shell", summary: "rm -r x", expiresAt: "" } } as const;
	expect(floor.look([form], false)[0]).toBe("1/5  Name (needed)");
	// A request of another kind, which the list has first.
	expect(floor.look([permission, form], false)).toEqual([]);
	expect(floor.current).toMatchObject({ requestId: "f1", takesAll: true });
	floor.current?.take("Ada");
	// After a lost line everything is drawn again, and so is the field.
	expect(floor.look([permission, form], true)[0]).toBe("2/5  age");
	expect(floor.look([permission], false)[0]).toBe("? Allow? rm -r x");
	expect(floor.current).toMatchObject({ requestId: "p1", takesAll: false });
	expect([floor.look([], false), floor.current]).toEqual([[], undefined]);
});
