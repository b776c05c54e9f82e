import { afterEach, beforeEach, expect, test } from "vitest";
import { type CoreBed, createCoreBed } from "../../../../../test/support/core.ts";
import { AppError } from "../kernel/errors.ts";
import type { ConversationId } from "../kernel/ids.ts";
import { MAX_PENDING_BYTES, MAX_PENDING_RESULTS } from "./pending-bash-context.ts";

let bed: CoreBed;
let id: ConversationId;
beforeEach(async () => {
	bed = await createCoreBed();
	id = await bed.begin();
});
afterEach(() => bed.close());

const epoch = () => bed.conversations.get(id).epoch;
const send = (prompt: string, more: { mode?: "immediate"; attachments?: string[] } = {}) =>
	bed.conversations.prompt({ conversationId: id, prompt, origin: "web", ...more });

async function run(command: string, output: string): Promise<void> {
	bed.conversations.exec({ conversationId: id, command, origin: "web" });
	const entry = bed.shell.commands.at(-1);
	entry?.output(output);
	entry?.finish();
	await bed.clock.advance(10);
}
/** Sends a prompt that the provider refuses; what it carried. */
async function refused(code: string): Promise<string> {
	send("Go");
	const turn = await bed.runtime.nextTurn();
	turn.end("error", { code, message: "no" });
	await bed.clock.advance(100);
	return turn.input.prompt;
}

test("[BX101] what waits for the next prompt is bounded: the newest results go along whole, older ones by name, and people hear of it", async () => {
	const watcher = bed.watch(id);
	for (let n = 0; n < MAX_PENDING_RESULTS + 10; n += 1) await run(`seq ${n} 3000`, "x".repeat(9_900));
	send("What now?");
	const { prompt } = (await bed.runtime.nextTurn()).input;
	expect(Buffer.byteLength(prompt)).toBeLessThan(MAX_PENDING_BYTES + 10_000);
	expect(prompt.startsWith("[Bash executed by user]\n[10 earlier results are left out here]\n\n")).toBe(true);
	expect(prompt).toContain("$ seq 10 3000\n...[truncated]\n[exit code: 0]");
	expect(prompt).toContain(`$ seq ${MAX_PENDING_RESULTS + 9} 3000\n${"x".repeat(9_900)}\n[exit code: 0]\n\nWhat now?`);
	expect(watcher.of("copilot:notice").filter((notice) => notice.code === "context-shortened")).toHaveLength(1);
	expect(bed.conversations.messages(id, { limit: 100 }).messages[0]).toMatchObject({ metadata: { context: "dropped" } });
});

test("[BX102] telling what waits costs the same for the thousandth command as for the fiftieth", async () => {
	const watcher = bed.watch(id);
	const long = `echo ${"x".repeat(2_000)}`;
	for (let n = 0; n < MAX_PENDING_RESULTS * 2; n += 1) await run(n % 2 === 0 ? "echo hello world" : long, "hello");
	const sizes = watcher.of("bash:context").map((data) => JSON.stringify(data).length);
	expect(watcher.of("bash:context").at(-1)?.items).toHaveLength(MAX_PENDING_RESULTS);
	expect(sizes.at(-1)).toBeLessThan(20_000);
	expect(Math.abs((sizes.at(-1) ?? 0) - (sizes[MAX_PENDING_RESULTS] ?? 0))).toBeLessThan(100);
});

test("[BX103] results that made a prompt too long go along shorter, so that later prompts do not fail because of them", async () => {
	for (let n = 0; n < 20; n += 1) await run(`seq ${n}`, "x".repeat(9_000));
	let prompt = await refused("prompt-too-long");
	expect(prompt.length).toBeGreaterThan(180_000);
	for (const expected of [50_000, 15_000, 9_000]) {
		prompt = await refused("prompt-too-long");
		expect(prompt.length).toBeLessThan(expected);
	}
	expect(prompt).toContain("$ seq 0\n...[truncated]");
});

test("[BX103] a provider's other error shortens them the second time, an error of ours never", async () => {
	for (let n = 0; n < 4; n += 1) await run(`seq ${n}`, "x".repeat(9_000));
	for (let n = 0; n < 3; n += 1) {
		bed.runtime.failNextOpen(new AppError("runtime-start-failed", "no"));
		send("Go");
		await bed.clock.advance(100);
	}
	expect((await refused("provider-error")).length).toBeGreaterThan(36_000);
	expect((await refused("provider-error")).length).toBeGreaterThan(36_000);
	expect((await refused("provider-error")).length).toBeLessThan(12_000);
});

test("[BX104] results that are given back are told to everyone who watches", async () => {
	await run("one", "1");
	const watcher = bed.watch(id);
	await refused("provider-error");
	expect(watcher.of("bash:context").map((data) => data.items.length)).toEqual([0, 1]);
	expect(watcher.of("copilot:message_updated").at(-1)).toMatchObject({ metadata: { bash: true, context: "pending" } });
	expect(watcher.types().indexOf("copilot:idle")).toBeGreaterThan(watcher.types().lastIndexOf("bash:context"));
});

test("[BX104] a reader that comes back after a crash hears it too", async () => {
	await run("one", "1");
	send("Go");
	await bed.runtime.nextTurn();
	const lastSeq = bed.conversations.get(id).headSeq;
	const watcher = bed.afterCrash().watch(id, { epoch: epoch(), lastSeq });
	expect(watcher.of("copilot:snapshot")).toEqual([]);
	expect(watcher.of("bash:context").map((data) => data.items.length)).toEqual([1]);
});

test("[BX105] a steered prompt carries the results that wait and its attachments, exactly once", async () => {
	send("One");
	const turn = await bed.runtime.nextTurn();
	await bed.clock.settle();
	await run("ls", "a.txt");
	bed.store.attachments.insert({
		id: "f1",
		name: "a.png",
		mimeType: "image/png",
		size: 1,
		path: "/f/1",
		createdAt: 0,
		conversationId: null,
	});
	send("Look", { mode: "immediate", attachments: ["f1"] });
	send("And this", { mode: "immediate" });
	await bed.clock.settle();
	expect(turn.steered).toEqual([
		{
			prompt: "[Bash executed by user]\n$ ls\na.txt\n[exit code: 0]\n\nLook",
			displayPrompt: "Look",
			attachments: [{ path: "/f/1", name: "a.png", mimeType: "image/png" }],
		},
		{ prompt: "And this", displayPrompt: "And this" },
	]);
	expect(bed.conversations.pendingBashContext(id)).toEqual([]);
	const { messageId } = send("Later");
	await run("pwd", "/x");
	bed.conversations.sendQueuedNow(id, messageId);
	await bed.clock.settle();
	expect(turn.steered.at(-1)?.prompt).toBe("[Bash executed by user]\n$ pwd\n/x\n[exit code: 0]\n\nLater");
});

test("[BX105] a prompt that could not be steered in gives its results back, and takes them along when it is taken up", async () => {
	send("One");
	const turn = await bed.runtime.nextTurn();
	await run("ls", "a.txt");
	turn.text("answer");
	turn.end();
	send("Late", { mode: "immediate" });
	await bed.clock.advance(100);
	expect((await bed.runtime.nextTurn()).input.prompt).toBe("[Bash executed by user]\n$ ls\na.txt\n[exit code: 0]\n\nLate");
});

test("[BX106] the model gets what was typed and nothing else, unless results, ended jobs or a cut-off answer are to be told", async () => {
	send("  Plain, as typed.\n");
	const first = await bed.runtime.nextTurn();
	expect(first.input).toEqual({ prompt: "  Plain, as typed.\n", displayPrompt: "  Plain, as typed.\n" });
	first.text("half of it");
	await bed.clock.advance(10);
	bed = bed.afterCrash();
	bed.shell.notes = ["[Background job bash_1 ended with exit code 0.]"];
	await run("ls", "a.txt");
	send("Next");
	const second = await bed.runtime.nextTurn();
	expect(second.input.displayPrompt).toBe("Next");
	expect(second.input.prompt).toBe(
		"[Your previous answer was interrupted. It ended with:]\nhalf of it\n\n[Background job bash_1 ended with exit code 0.]\n\n[Bash executed by user]\n$ ls\na.txt\n[exit code: 0]\n\nNext",
	);
});

test("[BX107] a cut never leaves half a character: results, titles and live output", async () => {
	await run("cat emoji", `${"x".repeat(9_999)}😀 more`);
	send("Go");
	expect((await bed.runtime.nextTurn()).input.prompt).toBe(
		`[Bash executed by user]\n$ cat emoji\n${"x".repeat(9_999)}\n...[truncated]\n[exit code: 0]\n\nGo`,
	);
	const other = await bed.begin();
	bed.conversations.exec({ conversationId: other, command: `${"y".repeat(77)}😀`, origin: "web" });
	expect(bed.conversations.get(other).title).toBe(`! ${"y".repeat(77)}`);
	const third = await bed.begin();
	bed.conversations.prompt({ conversationId: third, prompt: `${"z".repeat(79)}😀 and more`, origin: "web" });
	expect(bed.conversations.get(third).title).toBe(`${"z".repeat(79)}…`);
});
