import { expect, test } from "vitest";
import { createBegunLine } from "./begun-line.ts";

function type() {
	const page: { waits: string | undefined } = { waits: undefined };
	const line = createBegunLine(() => page.waits);
	return { page, line };
}

test("[CL136] a line that was begun before something was asked is held once, and then meant for it", () => {
	const { page, line } = type();
	line.look(false);
	page.waits = "q1";
	line.look(false);
	expect(line.moved()).toBe("asked");
	expect(line.moved()).toBeUndefined();
});

test("[CL136] a line that answers what is settled meanwhile goes neither to the next request nor to the agent", () => {
	const { page, line } = type();
	page.waits = "q1";
	line.look(false);
	page.waits = "q2";
	expect(line.moved()).toBe("asked");
	page.waits = undefined;
	expect(line.moved()).toBe("settled");
	expect(line.moved()).toBeUndefined();
});

test("[CL136] a line that is emptied is begun anew, and an empty one is meant for what waits", () => {
	const { page, line } = type();
	line.look(false);
	line.look(true);
	page.waits = "q1";
	expect(line.moved()).toBeUndefined();
	line.look(false);
	expect(line.moved()).toBeUndefined();
});
