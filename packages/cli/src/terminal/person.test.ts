import { PassThrough } from "node:stream";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { CommandContext } from "../commands/command.ts";
import { createPerson, DROPPED_MS } from "./person.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

function open() {
	const happened: string[] = [];
	const stdin = new PassThrough();
	const stderr = Object.assign(new PassThrough(), { isTTY: true, columns: 80 });
	let said = "";
	stderr.setEncoding("utf8").on("data", (piece: string) => {
		said += piece;
	});
	const person = createPerson({ stdin, stderr } as unknown as CommandContext, {
		onInterrupt: () => void happened.push("interrupt"),
		onDeclined: () => void happened.push("declined"),
	});
	const ask = (id: string) =>
		person.ask(id, [`${id}?`], (typed) => {
			happened.push(`${id} ${typed}`);
			return typed === "yes";
		});
	const shown = () => vi.advanceTimersByTime(DROPPED_MS);
	return { person, ask, shown, happened, type: (keys: string) => stdin.emit("data", Buffer.from(keys)), said: () => said };
}

test("[CL52] one question after the other, each again until its answer is taken", () => {
	const it = open();
	it.ask("first");
	it.ask("second");
	it.shown();
	it.type("no\r");
	it.type("yes\r");
	it.shown();
	it.type("yes\r");
	expect(it.happened).toEqual(["first no", "first yes", "second yes"]);
	expect(it.said().match(/second\?/g)).toHaveLength(1);
});

test("[CL137] what was typed before a question could be read answers nothing, also between two; one that is gone by then is not shown", () => {
	const it = open();
	it.type("yes\r");
	it.ask("first");
	it.ask("second");
	it.type("yes\r");
	expect(it.said()).toBe("");
	it.shown();
	expect(it.said()).toContain("first?");
	it.type("yes\r");
	it.type("yes\r");
	it.person.forget("second");
	it.ask("third");
	it.shown();
	expect(it.happened).toEqual(["first yes"]);
	expect(it.said()).not.toContain("second?");
	expect(it.said()).toContain("third?");
});

test("[CL104] Ctrl-D leaves the question for elsewhere and says so once; the next one is asked, and the end says nothing", () => {
	const it = open();
	it.ask("first");
	it.ask("second");
	it.shown();
	it.type("\u0004");
	it.shown();
	it.type("yes\r");
	it.ask("third");
	it.shown();
	it.type("\u0003");
	it.person.close();
	expect(it.happened).toEqual(["declined", "second yes", "interrupt"]);
});
