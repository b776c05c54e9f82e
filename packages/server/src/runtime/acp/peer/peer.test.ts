import { PassThrough } from "node:stream";
import { expect, test, vi } from "vitest";
import { createFakeClock } from "../../../../../../test/support/fake-clock.ts";
import { systemClock } from "../../../core/kernel/clock.ts";
import { AppError } from "../../../core/kernel/errors.ts";
import { createMemoryLedger } from "../../../core/kernel/memory-ledger.ts";
import { LARGE_LINE_BYTES } from "./line-reader.ts";
import { createPeer, MAX_OPEN_REQUESTS, METHOD_NOT_FOUND, type PeerDeps, RequestRefused } from "./peer.ts";

const gone = new AppError("agent-died", "gone");
const limit = {
	ms: 1_000,
	late: () => new AppError("agent-start-failed", "late"),
	refused: ({ code, message }: { code: number; message: string }) => new AppError("agent-protocol", `${code} ${message}`),
};

function connect(more: Partial<PeerDeps> = {}) {
	const clock = createFakeClock();
	const input = new PassThrough();
	const output = new PassThrough();
	const heard: string[] = [];
	const broken: string[] = [];
	const peer = createPeer({
		input,
		output,
		clock,
		onRequest: async (method) => {
			throw new RequestRefused(METHOD_NOT_FOUND, `Unknown: ${method}`);
		},
		onNotification: (method) => heard.push(method),
		onBroken: (because) => broken.push(because),
		...more,
	});
	const settle = () => clock.settle();
	async function say(...lines: (object | string)[]) {
		input.write(lines.map((line) => `${typeof line === "string" ? line : JSON.stringify({ jsonrpc: "2.0", ...line })}\n`).join(""));
		await settle();
	}
	const sent = () =>
		String(output.read() ?? "")
			.split("\n")
			.filter((line) => line !== "")
			.map((line): unknown => JSON.parse(line));
	return { peer, clock, input, output, heard, broken, say, sent, settle };
}

test("[AC3] log lines, colours and half messages on standard output are counted and ignored; a message behind them is found", async () => {
	const { peer, heard, say } = connect();
	await say(
		"starting…",
		"\u001b[32mok\u001b[0m",
		'{"jsonrpc"',
		"[]",
		"42",
		'{"a":1}',
		"null",
		'{"id":{}}',
		'log: {"jsonrpc":"2.0","method":"behind"}',
	);
	await say({ method: "plain" });
	expect(heard).toEqual(["behind", "plain"]);
	expect(peer.noise).toBe(8);
});

test("[AC4] an answer never overtakes the updates before it, nor is it overtaken by those after it", async () => {
	const { peer, heard, say } = connect();
	peer.send("session/prompt", {}, () => heard.push("answer"));
	await say({ method: "one" }, { method: "two" }, { id: 1, result: {} }, { method: "three" });
	expect(heard).toEqual(["one", "two", "answer", "three"]);
});

test("[AC4] a second answer, and one to nothing that was asked, are noise", async () => {
	const { peer, say } = connect();
	const answers: unknown[] = [];
	peer.send("x", {}, (answer) => answers.push(answer));
	await say(
		{ id: 1, result: 1 },
		{ id: 1, result: 2 },
		{ id: 77, result: 3 },
		{ id: "1", error: { code: 1 } },
		{ id: null, error: { code: 2 } },
	);
	expect(answers).toEqual([{ kind: "result", result: 1 }]);
	expect(peer.noise).toBe(4);
});

test("[AC5] a request that we do not know is refused at once, and a mistake of ours is an internal error without its words", async () => {
	const { say, sent } = connect({
		async onRequest(method) {
			if (method === "broken") throw new AppError("internal", "secret");
			throw new RequestRefused(METHOD_NOT_FOUND, "Unknown.");
		},
	});
	await say({ id: 5, method: "fs/write_text_file", params: {} }, { id: "six", method: "broken" });
	expect(sent()).toEqual([
		{ jsonrpc: "2.0", id: 5, error: { code: -32601, message: "Unknown." } },
		{ jsonrpc: "2.0", id: "six", error: { code: -32603, message: "Internal error" } },
	]);
});

test("[AC5] a request that the agent withdraws is taken back, and more than a bounded number at once is refused", async () => {
	const taken: string[] = [];
	const { say, sent } = connect({
		onRequest: (method, _params, signal) =>
			new Promise((resolve) =>
				signal.addEventListener("abort", () => {
					taken.push(method);
					resolve({ done: true });
				}),
			),
	});
	await say({ id: 1, method: "ask" }, { method: "$/cancel_request", params: { requestId: 1 } });
	expect(taken).toEqual(["ask"]);
	expect(sent()).toEqual([{ jsonrpc: "2.0", id: 1, result: { done: true } }]);
	await say(...Array.from({ length: MAX_OPEN_REQUESTS + 1 }, (_, id) => ({ id: `r${id}`, method: "ask" })));
	expect(sent()).toMatchObject([{ id: `r${MAX_OPEN_REQUESTS}`, error: { code: -32000 } }]);
});

test("[AC6] a request ends with its result, its error in the agent's words, after its limit, or with the close; later ones at once", async () => {
	const { peer, say, clock } = connect();
	const fine = peer.request("a", {}, limit);
	const refused = peer.request("b", {}, limit);
	const late = peer.request("c", {}, limit);
	const cut = peer.request("d", {}, { ...limit, ms: 5_000 });
	const ends = Promise.allSettled([fine, refused, late, cut]);
	await say({ id: 1, result: { ok: 1 } }, { id: 2, error: { code: 401, message: "no" } });
	await clock.advance(1_000);
	peer.close(gone);
	expect(await ends).toMatchObject([
		{ value: { ok: 1 } },
		{ reason: { message: "401 no" } },
		{ reason: { message: "late" } },
		{ reason: { code: "agent-died" } },
	]);
	await expect(peer.request("e", {}, limit)).rejects.toBe(gone);
	expect(clock.pending()).toBe(0);
});

test("[AC7] while the reader is behind nothing is read, and nothing is lost", async () => {
	const { peer, heard, say, settle } = connect();
	await say({ method: "one" });
	peer.hold(true);
	await say({ method: "two" });
	expect(heard).toEqual(["one"]);
	peer.hold(false);
	await settle();
	expect(heard).toEqual(["one", "two"]);
});

test("[AC8] what an agent does not read is bounded, and said", async () => {
	const { peer, broken } = connect({ maxUnsentBytes: 100_000 });
	for (let i = 0; i < 3; i++) peer.notify("x", "y".repeat(50_000));
	expect(broken).toEqual(["it does not read what it is sent"]);
});

test("[AC453] what an agent was sent counts in bytes until it takes it, and goes with it", async () => {
	const account = createMemoryLedger().account("agent");
	const { peer, output, settle } = connect({ account });
	const words = "字".repeat(30_000);
	for (let i = 0; i < 2; i++) peer.notify("x", words);
	await settle();
	expect([account.bytes() > 90_000, account.bytes()]).toEqual([true, peer.unsent]);
	output.resume();
	await vi.waitFor(() => expect(account.bytes()).toBe(0));
	output.pause();
	for (let i = 0; i < 2; i++) peer.notify("x", words);
	expect(account.bytes()).toBeGreaterThan(90_000);
	peer.close(gone);
	output.destroy();
	await settle();
	expect(account.bytes()).toBe(0);
});

test("[AC2] a line over the bound is told to the owner, and later lines are read", async () => {
	const { heard, broken, say } = connect({ maxLineBytes: 1_000 });
	await say("x".repeat(5_000), { method: "after" });
	expect(broken).toEqual(["one line was longer than 32 MB"]);
	expect(heard).toEqual(["after"]);
});

test("[AC410] a large line is parsed on another thread, and what follows waits for it", async () => {
	const parse = vi.spyOn(JSON, "parse");
	const { peer, heard, input } = connect({ clock: systemClock, onNotification: (method) => heard.push(method) });
	const answer = peer.request("x", {}, { ...limit, ms: 60_000 });
	const params = { list: Array.from({ length: 5_000 }, (_, at) => ({ at })), text: "x".repeat(8 * 1024 * 1024) };
	for (const message of [
		{ method: "small" },
		{ method: "large", params },
		{ method: "larger", params },
		{ method: "last" },
		{ id: 1, result: 7 },
	])
		input.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);
	expect(await answer).toBe(7);
	expect(heard).toEqual(["small", "large", "larger", "last"]);
	const longest = Math.max(...parse.mock.calls.map(([text]) => text.length));
	parse.mockRestore();
	expect(longest).toBeLessThan(LARGE_LINE_BYTES);
	peer.close(gone);
});

test("[AC410] nothing is read while a large line is understood, and an agent is not blamed for the wait", async () => {
	const { peer, heard, input } = connect({ clock: systemClock });
	input.write(`${JSON.stringify({ method: "large", params: "x".repeat(1024 * 1024) })}\n{"method":"next"}\n`);
	await expect.poll(() => peer.isHeld).toBe(true);
	expect([input.isPaused(), heard]).toEqual([true, []]);
	await peer.settled();
	expect([input.isPaused(), peer.isHeld, heard]).toEqual([false, false, ["large", "next"]]);
	peer.close(gone);
});

test("[AC411] a message of too many values is named to the owner, one of many is taken without those deep in it", async () => {
	let cuts = 0;
	const { peer, heard, broken, input } = connect({
		clock: systemClock,
		onCut: () => {
			cuts += 1;
		},
	});
	const list = (length: number) => `{"method":"m${length}","params":{"list":[${"{},".repeat(length)}1]}}\n`;
	input.write(`${list(200_000)}${list(300_000)}{"method":"after"}\n`);
	await expect.poll(() => heard).toEqual(["m200000", "after"]);
	expect([cuts, broken]).toEqual([1, ["one message had more than 500,000 values"]]);
	peer.close(gone);
});

test("[AC412] a peer that is closed while a large line is read hears nothing more of it", async () => {
	const { peer, heard, input } = connect({ clock: systemClock });
	input.write(`${JSON.stringify({ method: "large", params: "x".repeat(1024 * 1024) })}\n{"method":"next"}\n`);
	await expect.poll(() => peer.isHeld).toBe(true);
	peer.close(gone);
	await peer.settled();
	expect([heard, peer.isHeld]).toEqual([[], false]);
});

test("[AC2] a hundred megabytes in one line are named once, and what follows is read", async () => {
	const { peer, heard, broken, input } = connect({ clock: systemClock });
	const megabyte = Buffer.alloc(1024 * 1024, "x");
	for (let sent = 0; sent < 100; sent += 1) input.write(megabyte);
	input.write('\n{"method":"after"}\n');
	await expect.poll(() => heard).toEqual(["after"]);
	expect(broken).toEqual(["one line was longer than 32 MB"]);
	peer.close(gone);
});

test("[AC6] an error says what happened in the agent's own details", async () => {
	const { peer, say } = connect();
	const plain = peer.request("a", {}, limit);
	const deep = peer.request("b", {}, limit);
	const ends = Promise.allSettled([plain, deep]);
	await say({ id: 1, error: { code: 1, message: "Internal error", data: "no disk" } });
	await say({ id: 2, error: { code: 2, message: "Internal error", data: { details: "exit code 1" } } });
	expect(await ends).toMatchObject([
		{ reason: { message: "1 Internal error: no disk" } },
		{ reason: { message: "2 Internal error: exit code 1" } },
	]);
});
