// What an agent must not do and one of them does, one command each. Their numbers group them: what a client must survive, as seen with real agents or feared.

import { spawn, spawnSync } from "node:child_process";
import { randomUUID } from "node:crypto";
import { closeSync, writeSync } from "node:fs";
import { pause, race, say, update } from "./speak.mjs";
import { askPermission } from "./tools.mjs";
import { RpcError } from "./wire.mjs";

/** @typedef {import("./turn.mjs").Turn} Turn */

const forever = () => new Promise(() => undefined);
/** Lets the pipe take what was said before. @param {Turn} turn */
const flushed = (turn) => turn.wire.raw("");

/** @type {Record<string, import("./turn.mjs").Command>} */
export const BAD_COMMANDS = {
	/** 1. die [SIGNAL] */
	async die(turn, signal) {
		await flushed(turn);
		process.kill(process.pid, signal || "SIGKILL");
		await forever();
	},
	/** 2. exit CODE: leaves in the middle of the turn. */
	async exit(turn, code) {
		await flushed(turn);
		process.exit(Number(code) || 0);
	},
	/** 3. freeze: the whole process stands still. */
	async freeze(turn) {
		await flushed(turn);
		process.kill(process.pid, "SIGSTOP");
	},
	/** 3. block MS: the event loop stands still, for ever without MS. */
	async block(turn, ms) {
		await flushed(turn);
		Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, Number(ms) || undefined);
	},
	/** 4. deaf: answers pings, never a cancel, and works on. */
	async deaf(turn) {
		turn.onCancel = "ignore";
		await forever();
	},
	/** 5. inner-death: an error now, "not found" at the next prompt; resuming brings it back. */
	"inner-death"(turn) {
		turn.session.pid = -1;
		throw new RpcError(-32603, "The inner process has died.");
	},
	/** 6. hold-stdout MS: dies, but a grandchild keeps the pipe open. */
	async "hold-stdout"(turn, ms) {
		await flushed(turn);
		spawn("sleep", [String((Number(ms) || 20_000) / 1000)], { stdio: ["ignore", "inherit", "ignore"], detached: true });
		process.kill(process.pid, "SIGKILL");
		await forever();
	},
	/** 7. close-stdout: closes its output and lives. */
	async "close-stdout"(turn) {
		await flushed(turn);
		closeSync(1);
		await forever();
	},
	/** 7. stop-reading: takes nothing more from its input. */
	async "stop-reading"() {
		process.stdin.pause();
		process.stdin.removeAllListeners("data");
		// Without anything to wait for the process would simply end.
		setInterval(() => undefined, 1 << 30);
		await forever();
	},
	/** 10. no-answer: the prompt is never answered, cancelled or not. */
	async "no-answer"(turn) {
		turn.onCancel = "ignore";
		await forever();
	},
	/** 12. cancel-as end_turn | error: waits, and ends a stopped turn with something else. */
	async "cancel-as"(turn, how) {
		turn.onCancel = how === "error" ? "error" : "end_turn";
		await race(turn, forever());
	},
	/** 13, 25. stop REASON: ends the turn with this reason, `cancelled` and nonsense included. */
	stop(turn, stopReason) {
		turn.result = { stopReason };
	},
	/** 14. twice: two responses to one prompt. */
	twice(turn) {
		turn.wire.send({ id: turn.promptId ?? null, result: { stopReason: "end_turn" } });
	},
	/** 14. unknown-response: a response that nobody asked for. */
	"unknown-response": (turn) => turn.wire.send({ id: 987_654, result: {} }),
	/** 15. late TEXT: a title, usage and output of a finished tool after the end. */
	late(turn, title) {
		turn.after.push(() => {
			update(turn, { sessionUpdate: "session_info_update", title: title || "A late title" });
			update(turn, { sessionUpdate: "usage_update", used: 2000, size: 100_000 });
			update(turn, { sessionUpdate: "tool_call_update", toolCallId: "background", content: text("late output") });
		});
	},
	/** 16. unprompted TEXT: a turn that nobody asked for, after this one. */
	unprompted(turn, words) {
		turn.after.push(() => say({ ...turn, messageId: randomUUID() }, words || "By the way."));
	},
	/** 16. late-permit: a permission request after the end; the answer is said in the next turn by `last`. */
	"late-permit"(turn) {
		turn.after.push(() => {
			const call = { toolCallId: randomUUID(), title: "Too late", kind: "execute", rawInput: { command: "date" } };
			const remember = (/** @type {string} */ word) => {
				turn.last.permit = word;
			};
			askPermission({ ...turn, onCancel: "ignore" }, call).then(
				({ word }) => remember(word),
				(error) => remember(`error ${error.code}`),
			);
		});
	},
	/** 16. last: what came back from the request after the end of an earlier turn. */
	async last(turn) {
		// The answer may have come in the same read as this prompt.
		await new Promise((resolve) => setImmediate(resolve));
		say(turn, JSON.stringify(turn.last));
	},
	/** 17. stranger: updates and a request for a session that the client does not know. */
	async stranger(turn) {
		const other = { ...turn, session: { ...turn.session, id: "somebody-else" } };
		say(other, "Words of another session. ");
		const { word } = await askPermission(other, { toolCallId: "x", title: "Of another session" }).catch(({ code }) => ({
			word: `error ${code}`,
		}));
		say(turn, `Stranger: ${word}`);
	},
	/** 18. open-tool: a tool that never ends. */
	"open-tool": (turn) => announce(turn, "never-closed", "in_progress"),
	/** 19. orphan-update: the end of a tool that was never announced, as Gemini does it. */
	"orphan-update": (turn) =>
		update(turn, {
			sessionUpdate: "tool_call_update",
			toolCallId: "unannounced",
			status: "completed",
			title: "ls",
			content: text("a file"),
		}),
	/** 19. bare-permit: a permission request with nothing but the id of a tool. */
	async "bare-permit"(turn) {
		announce(turn, "bare", "pending");
		say(turn, `Bare: ${(await askPermission(turn, { toolCallId: "bare" })).word}`);
	},
	/** 20. reopen: a finished tool is announced again and runs again. */
	reopen(turn) {
		for (const status of ["in_progress", "completed", "in_progress", "failed"]) announce(turn, "again", status);
	},
	/** 21. error-text TEXT: the model's error as an answer. */
	"error-text"(turn, words) {
		update(turn, { sessionUpdate: "agent_message_chunk", content: { type: "text", text: words || "Error: 401 Unauthorized" } });
		turn.result = { stopReason: "end_turn", usage: null };
	},
	/** 23. repeat TEXT: the same words again in the same message. */
	async repeat(turn, words) {
		say(turn, words);
		await pause(turn, 50);
		say(turn, words);
	},
	/** 24. swallow: ends at once without a word. */
	swallow: () => undefined,
	/** 25. odd: update kinds, content types and fields that nobody knows. */
	odd(turn) {
		update(turn, { sessionUpdate: "telepathy", strength: 7 });
		update(turn, { sessionUpdate: "agent_message_chunk", content: { type: "smell", data: "roses" } });
		update(turn, { sessionUpdate: "usage_update" });
		update(turn, { sessionUpdate: "tool_call", toolCallId: "odd", title: null, kind: "juggle", status: "dreaming", content: "no list" });
		update(turn, null);
		turn.wire.notify("session/update", null);
		turn.wire.notify("_vendor/news", { sessionId: turn.session.id });
	},
	/** 25. null: the response is null. */
	null(turn) {
		turn.result = null;
	},
	/** 25. fail CODE TEXT: the prompt is answered with an error. */
	fail(_turn, rest) {
		const [, code = "-32603", message = "The model did not answer."] = /^(-?\d+)\s*(.*)$/s.exec(rest) ?? [];
		throw new RpcError(Number(code), message);
	},
	/** 27. noise: log lines, colours, a URL, JSON that is no message, and an empty line. */
	noise: (turn) =>
		turn.wire.raw('\n[info] warming up\n\u001b[31mred\u001b[0m\nhttps://example.invalid/login?code=1\n"text"\n[1]\n{"a":1}\n{not json\n'),
	/** 27. half-line: dies in the middle of a line. */
	async "half-line"(turn) {
		await turn.wire.raw('{"jsonrpc":"2.0","method":"session/upd');
		process.kill(process.pid, "SIGKILL");
		await forever();
	},
	/** 27. split TEXT: the message arrives byte by byte, characters cut in the middle. */
	async split(turn, words) {
		const update = {
			sessionUpdate: "agent_message_chunk",
			content: { type: "text", text: words || "grüße 你好 🙂" },
			messageId: turn.messageId,
		};
		const params = { sessionId: turn.session.id, update };
		const bytes = Buffer.from(`${JSON.stringify({ jsonrpc: "2.0", method: "session/update", params })}\n`);
		await turn.wire.drip([...bytes].map((byte) => Uint8Array.of(byte)));
	},
	/** 27. surrogate: half a character, escaped. */
	surrogate: (turn) => say(turn, "half \ud83d here"),
	/** 27. invalid-utf8: bytes that are no text, in a message and as noise. */
	async "invalid-utf8"(turn) {
		await turn.wire.raw(Uint8Array.of(0xff, 0xfe, 0xc3, 0x28, 0x0a));
		const update = { sessionUpdate: "agent_message_chunk", content: { type: "text", text: "@@" }, messageId: turn.messageId };
		const message = JSON.stringify({ jsonrpc: "2.0", method: "session/update", params: { sessionId: turn.session.id, update } });
		const bytes = Buffer.from(`${message}\n`);
		bytes.set([0xc3, 0x28], bytes.indexOf("@@"));
		await turn.wire.raw(bytes);
	},
	/** 27. big-line MB: one message of so many megabytes. */
	async "big-line"(turn, megabytes) {
		say(turn, "x".repeat((Number(megabytes) || 40) * 1024 * 1024));
		await flushed(turn);
	},
	/** 27. many-values N: a tool whose output is so many small objects in one message. */
	async "many-values"(turn, count) {
		const rawOutput = { output: "done", list: Array.from({ length: Number(count) || 1_000_000 }, (_, at) => ({ at })) };
		announce(turn, "many", "in_progress");
		update(turn, { rawOutput, sessionUpdate: "tool_call_update", toolCallId: "many", status: "completed" });
		await flushed(turn);
	},
	/** 27. flood N: so many updates at once, with no regard for the reader. */
	flood(turn, count) {
		for (let at = 1; at <= (Number(count) || 50_000); at += 1) say(turn, `${at} `);
	},
	/** 27. stderr-flood MB: so much on standard error, endless with 0. */
	async "stderr-flood"(turn, megabytes) {
		const line = `${"error ".repeat(170)}\n`.repeat(100);
		const limit = megabytes === "0" ? Number.POSITIVE_INFINITY : (Number(megabytes) || 20) * 1024 * 1024;
		for (let bytes = 0; bytes < limit; bytes += line.length) {
			await race(turn, new Promise((resolve) => process.stderr.write(line, resolve)));
		}
	},
	/** 29. orphan: leaves a command in a session of its own, and says the process ids of all that it left. */
	orphan(turn) {
		leaveOrphan();
		say(turn, `Orphans: ${orphans.join(" ")}`);
	},
	/** 29. daemon: leaves what has neither its environment, session, group nor output, takes no notice of SIGTERM, and has lost its parent; says its process id. */
	daemon(turn) {
		const script = 'cd /; trap "" TERM; setsid sleep 600 <&- >/dev/null 2>&1 & echo $!';
		const { stdout } = spawnSync("env", ["-i", "bash", "-c", script], { stdio: ["ignore", "pipe", "ignore"], encoding: "utf8" });
		say(turn, `Daemon: ${stdout.trim()}.`);
	},
	/** 29. stubborn COMMAND: a command that goes on when the turn is stopped. */
	stubborn(turn, command) {
		const child = spawn("bash", ["-c", command || "sleep 600"], { cwd: turn.session.cwd, detached: true, stdio: "ignore" });
		say(turn, `Stubborn: ${child.pid}`);
		return race(turn, new Promise((resolve) => child.once("close", resolve)));
	},
};

/** Processes that outlive this one unless somebody looks for them: every one so far. @type {number[]} */
const orphans = [];

/** Leaves a process in a session of its own. */
export function leaveOrphan() {
	const child = spawn("sleep", ["600"], { stdio: "ignore", detached: true });
	child.unref();
	orphans.push(child.pid ?? 0);
}

/** Log lines between messages, as agents print them by mistake. */
export function makeNoise() {
	writeSync(1, "Loaded cached credentials.\n\u001b[33mwarning\u001b[0m\nOpen https://example.invalid/device to log in\n");
}

/** @param {Turn} turn @param {string} toolCallId @param {string} status */
function announce(turn, toolCallId, status) {
	const call = { toolCallId, title: "sleep 1", kind: "execute", rawInput: { command: "sleep 1" } };
	update(turn, { sessionUpdate: "tool_call", status, ...call });
}

/** @param {string} words */
const text = (words) => [{ type: "content", content: { type: "text", text: words } }];
