import { PassThrough } from "node:stream";
import { expect, test } from "vitest";
import type { Api } from "../connection/api.ts";
import { chooseConversation } from "./choose-conversation.ts";
import type { CommandContext } from "./command.ts";

/** Conversations as the server lists them; the higher the number, the newer. */
function open(count: number, rows = 24) {
	const conversations = Array.from({ length: count }, (_, index) => ({
		...{ id: `c${index}`, title: `Title ${index}`, agent: "copilot", cwd: "/work", status: "completed", asking: false },
		updatedAt: new Date(index * 60_000).toISOString(),
	}));
	const api = { get: async () => ({ conversations }) } as unknown as Api;
	const stdin = new PassThrough();
	const stdout = Object.assign(new PassThrough(), { rows, columns: 80 });
	let said = "";
	stdout.setEncoding("utf8").on("data", (piece: string) => {
		said += piece;
	});
	const context = { stdin, stdout, env: {}, language: "en" } as unknown as CommandContext;
	const chosen = chooseConversation(api, context).then((choice) => (typeof choice === "number" ? choice : choice.id));
	return { chosen, type: (keys: string) => stdin.write(keys), said: () => said };
}

test("[CL103] the newest stands first; a number chooses, Enter chooses the first, anything else is asked again", async () => {
	const it = open(3);
	it.type("4\rtwo\r0\r-1\r2\r");
	expect(await it.chosen).toBe("c1");
	expect(it.said()).toMatch(/1 {2}done[^\n]+Title 2\n[^\n]*2 {2}done[^\n]+Title 1\n[^\n]*3 {2}done[^\n]+Title 0\n/);
	expect(it.said().match(/Type a number from 1 to 3/g)).toHaveLength(4);
	const enter = open(3);
	enter.type("\r");
	expect(await enter.chosen).toBe("c2");
});

test("[CL103] Ctrl-C leaves with 130, Ctrl-D with 0", async () => {
	const [interrupted, left] = [open(2), open(2)];
	interrupted.type("1\u0003");
	left.type("\u0004");
	expect([await interrupted.chosen, await left.chosen]).toEqual([130, 0]);
});

test("[CL103] one conversation needs no choice, none is one line, and no more are offered than the window shows", async () => {
	expect(await open(1).chosen).toBe("c0");
	await expect(open(0).chosen).rejects.toThrow(/no conversations yet/);
	const small = open(30, 10);
	small.type("7\r6\r");
	expect(await small.chosen).toBe("c24");
	expect(small.said()).toContain("Older ones: rightseat ls");
	const large = open(30, 80);
	large.type("21\r20\r");
	expect(await large.chosen).toBe("c10");
});
