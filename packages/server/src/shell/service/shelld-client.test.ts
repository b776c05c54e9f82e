import { tmpdir } from "node:os";
import { join } from "node:path";
import { createCommandClient } from "@rightseat/shell/client/command-client";
import { expect, test } from "vitest";
import { systemClock } from "../../core/kernel/clock.ts";
import { silentLogger } from "../../core/kernel/logger.ts";
import { createShelldClient, createWaitingMessages, MAX_WAITING, MAX_WAITING_BYTES } from "./shelld-client.ts";

const client = () =>
	createShelldClient({
		home: tmpdir(),
		env: {},
		secrets: [],
		logger: silentLogger,
		// Time stands still, so that the process is not tried again.
		clock: { ...systemClock, after: () => () => undefined },
		shelldPath: join(tmpdir(), "no-such-shelld.js"),
		onMessage: () => undefined,
		onLost: () => undefined,
	});

test("[SH49] what waits for the shell process is bounded; what finds no room is answered at once", async () => {
	const shelld = client();
	const sent = Array.from({ length: MAX_WAITING + 1 }, () => shelld.send({ kind: "drop", key: "1" }));
	expect(sent.filter(Boolean)).toHaveLength(MAX_WAITING);
	expect(await shelld.request((request) => ({ kind: "forget", request, conversation: "c" }))).toBeUndefined();
	await shelld.close();
	expect(shelld.send({ kind: "drop", key: "1" })).toBe(false);
});

test("[RT129] what waits for the shell process is bounded in bytes too", () => {
	const waiting = createWaitingMessages();
	const large = { kind: "drop", key: "x".repeat(MAX_WAITING_BYTES / 8) } as const;
	expect([1, 2, 3, 4].map(() => waiting.add(large))).toEqual([true, true, true, false]);
	expect(waiting.take()).toHaveLength(3);
	expect(waiting.add(large)).toBe(true);
});

test("[SH43] requests and commands that never got there are told so", async () => {
	const reasons: string[] = [];
	const commands = createCommandClient(() => false);
	const request = { conversation: null, command: "x", cwd: "/", fallbackCwd: "/", timeoutMs: null, limit: 1, background: false } as const;
	commands.run({ ...request, onTimeout: "kill", want: "head" }, { end: () => undefined, lost: (reason) => reasons.push(reason) });
	await Promise.resolve();
	expect([reasons, commands.running()]).toEqual([["the shell does not take commands now"], 0]);
});
