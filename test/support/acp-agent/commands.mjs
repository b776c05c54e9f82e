// What a well-behaved agent does in a turn, one command each.

import { randomUUID } from "node:crypto";
import { fieldsOf, textOf } from "./fields.mjs";
import { configOptions } from "./options.mjs";
import { pause, race, say, update } from "./speak.mjs";
import { askPermission, askPerson, editFile, runCommand, useTool } from "./tools.mjs";
import { RpcError } from "./wire.mjs";

/** @type {Record<string, import("./turn.mjs").Command>} */
export const COMMANDS = {
	/** say TEXT: words, in two chunks so that a reader must join them. */
	say(turn, text) {
		const half = Math.ceil(text.length / 2);
		say(turn, text.slice(0, half));
		if (text.length > half) say(turn, text.slice(half));
	},
	/** think TEXT: a thought. */
	think(turn, text) {
		update(turn, { sessionUpdate: "agent_thought_chunk", content: { type: "text", text }, messageId: turn.messageId });
	},
	/** message: the next words are another message. */
	message(turn) {
		turn.messageId = randomUUID();
	},
	/** stream N MS: N words, one every MS milliseconds. */
	async stream(turn, rest) {
		const [count = 10, ms = 100] = rest.split(" ").map(Number);
		for (let at = 1; at <= count; at += 1) {
			say(turn, `word${at} `);
			await pause(turn, ms);
		}
	},
	/** stamps N PER_SECOND: N words, so many a second, each the moment in which it was said; for benchmarks. */
	async stamps(turn, rest) {
		const [count = 10, perSecond = 100] = rest.split(" ").map(Number);
		const begin = performance.now();
		for (let sent = 0; sent < count; ) {
			// A late wake-up says all that are due, so that the rate holds on a busy machine.
			const due = Math.min(count, Math.floor(((performance.now() - begin) * perSecond) / 1_000) + 1);
			for (; sent < due; sent += 1) say(turn, `${(performance.timeOrigin + performance.now()).toFixed(3)} `);
			if (sent < count) await pause(turn, Math.max(0, begin + (sent * 1_000) / perSecond - performance.now()));
		}
	},
	/** slow MS: nothing for so long. */
	slow: (turn, rest) => pause(turn, Number(rest) || 1000),
	/** wait: nothing until the turn is stopped. */
	wait: (turn) => race(turn, new Promise(() => undefined)),
	/** steerable: waits for words that are put into the running turn, and says them. */
	async steerable(turn) {
		if (turn.steered.length === 0) {
			await race(
				turn,
				new Promise((resolve) => {
					turn.onSteer = () => resolve(undefined);
				}),
			);
		}
		say(turn, `Steered: ${turn.steered.splice(0).join(" | ")}`);
	},
	/** tool NAME JSON: one of our tools over MCP. */
	tool: (turn, rest) => useTool(turn, rest),
	/** run COMMAND: a command in the agent's own shell, asked for first. */
	run: (turn, command) => runCommand(turn, command),
	/** edit FILE TEXT: writes a file, with a diff, asked for first. */
	edit: (turn, rest) => editFile(turn, rest),
	/** permit [TITLE]: asks for permission and says what was chosen. */
	async permit(turn, title) {
		const toolCallId = randomUUID();
		const call = { toolCallId, title: title || "Do something", kind: "other", rawInput: { what: title || "something" } };
		update(turn, { sessionUpdate: "tool_call", status: "pending", ...call });
		const chosen = await askPermission(turn, call);
		update(turn, { sessionUpdate: "tool_call_update", toolCallId, status: chosen.allowed ? "completed" : "failed" });
		say(turn, `Permission: ${chosen.word}`);
	},
	/** ask QUESTION | ANSWER | ANSWER: asks the person; without answers it is free text. */
	ask: (turn, rest) => askPerson(turn, rest),
	/** askurl URL: sends the person to a page. */
	async askurl(turn, url) {
		const params = { sessionId: turn.session.id, mode: "url", message: "Open this page.", elicitationId: randomUUID(), url };
		const { action } = fieldsOf(await race(turn, turn.wire.request("elicitation/create", params).answer));
		say(turn, `Page: ${action}`);
	},
	/** plan A, B, C: a plan; a step that begins with * is done, with > is being done. */
	plan(turn, rest) {
		const status = (/** @type {string} */ step) => (step.startsWith("*") ? "completed" : step.startsWith(">") ? "in_progress" : "pending");
		const entries = rest.split(",").map((step) => step.trim());
		const plan = entries.map((step) => ({ content: step.replace(/^[*>]/, ""), priority: "medium", status: status(step) }));
		update(turn, { sessionUpdate: "plan", entries: plan });
	},
	/** title TEXT: what the agent calls the conversation. */
	title(turn, title) {
		turn.session.title = title;
		update(turn, { sessionUpdate: "session_info_update", title, updatedAt: new Date().toISOString() });
	},
	/** usage USED SIZE COST: how full the context is. */
	usage(turn, rest) {
		const [used = 1000, size = 100_000, amount = 0.25] = rest.split(" ").filter(Boolean).map(Number);
		update(turn, { sessionUpdate: "usage_update", used, size, cost: { amount, currency: "USD" } });
	},
	/** commands N: a list of N commands. */
	commands(turn, count) {
		const list = Array.from({ length: Number(count) || 2 }, (_, at) => ({
			name: `command${at}`,
			description: "A command of the scripted agent.",
		}));
		update(turn, { sessionUpdate: "available_commands_update", availableCommands: list });
	},
	/** mode MODE: the agent changes its mode by itself. */
	mode(turn, mode) {
		turn.session.options.mode = mode;
		update(turn, { sessionUpdate: "current_mode_update", currentModeId: mode });
	},
	/** mode-option MODE: the same, said with the options. */
	"mode-option"(turn, mode) {
		turn.session.options.mode = mode;
		update(turn, { sessionUpdate: "config_option_update", configOptions: configOptions(turn.session.options) });
	},
	/** request METHOD: asks the client for something, and says what it answered. */
	async request(turn, method) {
		const params = { sessionId: turn.session.id, path: "/nowhere", content: "" };
		const answer = await race(
			turn,
			turn.wire.request(method, params).answer.catch((error) => (error instanceof RpcError ? `error ${error.code}` : String(error))),
		);
		say(turn, `${method}: ${typeof answer === "string" ? answer : JSON.stringify(answer)}`);
	},
	/** history: says what was said before, which only a resumed session knows. */
	history(turn) {
		const earlier = turn.session.history.slice(0, -1).filter(({ role }) => role === "user");
		say(turn, `Remembered: ${earlier.map(({ text }) => text).join(" | ") || "nothing"}`);
	},
	/** prompt: says the prompt as it came. */
	prompt: (turn) => say(turn, JSON.stringify(turn.blocks.map(brief))),
	/** options: says mode, model and effort as they are. */
	options: (turn) => say(turn, JSON.stringify(turn.session.options)),
	/** where: says folder, process and session. */
	where: (turn) => say(turn, JSON.stringify({ cwd: turn.session.cwd, pid: process.pid, session: turn.session.id })),
	/** env NAME: says a variable of its environment. */
	env: (turn, name) => say(turn, `${name}=${process.env[name] ?? "(not set)"}`),
	/** tools: says which of our tools it was given. */
	async tools(turn) {
		const tools = (await turn.mcp?.listTools()) ?? [];
		say(turn, `Tools: ${tools.map(({ name }) => name).join(" ") || "none"}`);
	},
};

/** Words that nobody said before, in the middle a command of our shell when it is its turn, and at the end what they answer. @param {import("./turn.mjs").Turn} turn @param {string} line */
export async function answer(turn, line) {
	const id = randomUUID().slice(0, 8);
	for (let word = 0; word < turn.switches.number("answers"); word += 1) {
		say(turn, `${id}w${word} `);
		await pause(turn, 8);
	}
	const hasCommand = turn.session.history.filter(({ role }) => role === "user").length % 3 === 0;
	if (hasCommand) await useTool(turn, `Bash ${JSON.stringify({ command: `echo tool-${id} >> ran.log; sleep 0.2` })}`);
	say(turn, `answer to ${line}`);
}

/** A block without its bytes. @param {import("./fields.mjs").Fields} block */
const brief = (block) => (block.type === "image" ? { type: "image", mimeType: block.mimeType, length: textOf(block.data).length } : block);
