import { expect, test } from "vitest";
import { createAnswerWriter } from "./answer-writer.ts";

function setUp() {
	let paper = "";
	let withdrawn = 0;
	const writer = createAnswerWriter({
		write: (text) => {
			paper += text;
		},
		onWithdrawn: () => {
			withdrawn += 1;
		},
	});
	return { writer, paper: () => paper, withdrawn: () => withdrawn };
}

test("[CL60] a whole message after its pieces adds only what was missing, and messages are a blank line apart", () => {
	const { writer, paper } = setUp();
	writer.append("a", "Hel");
	writer.set("a", "Hello");
	writer.set("a", "Hello");
	writer.append("b", "there");
	writer.finish();
	writer.finish();
	expect(paper()).toBe("Hello\n\nthere\n");
});

test("[CL60] a message that is begun again is said again on a line of its own", () => {
	const { writer, paper, withdrawn } = setUp();
	writer.append("a", "Wrong");
	writer.withdraw("a");
	writer.append("b", "Right");
	writer.finish();
	expect([paper(), withdrawn()]).toEqual(["Wrong\n\nRight\n", 1]);
});

test("[CL60] after an outage the end that came joins what was written, or it is said that something is missing", () => {
	const { writer, paper } = setUp();
	writer.append("a", "01234");
	expect(writer.catchUp([{ kind: "text", messageId: "a", content: "3456789", truncated: 10 }])).toBe(true);
	expect(paper()).toBe("0123456789");
	expect(writer.catchUp([{ kind: "text", messageId: "a", content: "xyz", truncated: 20 }])).toBe(false);
	expect(writer.catchUp([{ kind: "text", messageId: "a", content: "0123456789abc" }])).toBe(true);
	expect(paper()).toBe("0123456789abc");
});
