import { expect, test } from "vitest";
import { createFakeClock } from "../../../../../../test/support/fake-clock.ts";
import { createScriptedShell } from "../../../../../../test/support/scripted-shell.ts";
import { randomIds } from "../../../core/kernel/ids.ts";
import { createRedactor } from "../../../core/kernel/redact.ts";
import { bashExec, MAX_LOOSE_COMMANDS, MAX_REMEMBERED_IDS } from "./bash-exec-handler.ts";
import type { OutFrame } from "./frames.ts";

function bed() {
	const shell = createScriptedShell();
	const createBashExecHandler = bashExec({
		shell,
		clock: createFakeClock(),
		ids: randomIds,
		defaultCwd: () => "/somewhere",
		redactor: createRedactor(["s3cret-value-of-ours"]),
	});
	const handler = createBashExecHandler("/start");
	const sent: OutFrame[] = [];
	const run = async (command: string, clientMessageId?: string) =>
		handler.handle(
			{ type: "bash:exec", data: { command, ...(clientMessageId === undefined ? {} : { clientMessageId }) } },
			(frame) => void sent.push(frame),
		);
	return { shell, handler, sent, run };
}
const command = (shell: ReturnType<typeof createScriptedShell>, index = 0) => {
	const found = shell.commands[index];
	if (found === undefined) throw new Error("No such command.");
	return found;
};

test("[WS36] a command without a conversation shows its output in order and how and where it ended", async () => {
	const { shell, run, sent } = bed();
	const done = run("make");
	command(shell).output("out 1\n");
	command(shell).output("err 1\n");
	command(shell).finish({ exitCode: 2, cwd: "/start/sub" });
	await done;
	expect(sent.map((frame) => frame.type)).toEqual(["bash:start", "copilot:ack", "bash:output", "bash:output", "bash:done"]);
	expect(sent.at(-1)).toMatchObject({ data: { exitCode: 2, cwd: "/start/sub", truncated: false } });
	expect(JSON.stringify(sent)).not.toContain("conversationId");
});

test("[WS222] the next command starts where the last one ended", async () => {
	const { shell, run } = bed();
	const first = run("cd /tmp");
	command(shell).finish({ cwd: "/tmp" });
	await first;
	run("pwd").catch(() => undefined);
	expect(command(shell, 1).request.defaultCwd).toBe("/tmp");
});

test("[WS223] only so many run at once, and all of them end with the connection", async () => {
	const { shell, handler, run, sent } = bed();
	const running = Array.from({ length: MAX_LOOSE_COMMANDS }, () => run("sleep 100"));
	await run("one more");
	expect(sent.at(-1)).toMatchObject({ type: "copilot:nack", data: { code: "too-many-commands", retryable: true } });
	handler.onDisconnect?.(() => undefined);
	await Promise.all(running);
	expect(shell.commands.every((each) => each.killed)).toBe(true);
});

test("[WS224] kill ends a running command and says whether there was one", async () => {
	const { handler, run, sent } = bed();
	const done = run("sleep 100");
	const first = sent[0];
	if (first?.type !== "bash:start") throw new Error("No start.");
	expect(handler.kill(first.data.execId)).toBe(true);
	await done;
	expect(handler.kill(first.data.execId)).toBe(false);
	expect(sent.at(-1)).toMatchObject({ type: "bash:done", data: { exitCode: 143 } });
});

test("[SE148] a command without a conversation shows none of our secrets, also when it prints one in pieces", async () => {
	const { shell, run, sent } = bed();
	const done = run("cat token");
	command(shell).output("it is s3cret-va");
	command(shell).output("lue-of-ours\nand s3c");
	command(shell).finish({ exitCode: 0 });
	await done;
	const shown = sent.map((frame) => (frame.type === "bash:output" ? frame.data.output : "")).join("");
	expect(shown).toBe("it is [redacted]\nand s3c");
	expect(sent.at(-1)?.type).toBe("bash:done");
});

test("[WS106] the same clientMessageId twice runs once; for another command it is refused; old ids are forgotten", async () => {
	const { shell, sent, run } = bed();
	const first = run("make", "m1");
	await run("make", "m1");
	await run("rm -r build", "m1");
	expect(shell.commands).toHaveLength(1);
	expect(sent.slice(2)).toMatchObject([
		{ type: "copilot:ack", data: { clientMessageId: "m1", duplicate: true } },
		{ type: "copilot:nack", data: { clientMessageId: "m1", code: "id-reused" } },
	]);
	command(shell).finish({});
	await first;
	for (let i = 0; i < MAX_REMEMBERED_IDS; i += 1) {
		const done = run("true", `later ${i}`);
		command(shell, i + 1).finish({});
		await done;
	}
	const again = run("make", "m1");
	command(shell, MAX_REMEMBERED_IDS + 1).finish({});
	await again;
	expect(shell.commands).toHaveLength(MAX_REMEMBERED_IDS + 2);
});
