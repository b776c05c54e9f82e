// Tools of the scripted agent: ours over MCP, a shell of its own, an edit, a question, and the permission before them.

import { spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { isAbsolute, join } from "node:path";
import { fieldsOf } from "./fields.mjs";
import { race, say, update } from "./speak.mjs";

/** @typedef {import("./turn.mjs").Turn} Turn */

const OPTIONS = [
	{ optionId: "once", name: "Allow once", kind: "allow_once" },
	{ optionId: "always", name: "Always allow", kind: "allow_always" },
	{ optionId: "no", name: "Reject", kind: "reject_once" },
];

/** Asks the client; in the mode that asks nobody it takes what it wants. @param {Turn} turn @param {object} toolCall */
export async function askPermission(turn, toolCall) {
	if (turn.session.options.mode === "bypassPermissions") return { allowed: true, word: "taken" };
	const { id, answer } = turn.wire.request("session/request_permission", { sessionId: turn.session.id, toolCall, options: OPTIONS });
	const withdraw = () => turn.wire.withdraw(id);
	// Claude Code takes its open request back when the turn is stopped.
	if (turn.onCancel !== "ignore") turn.stop.signal.addEventListener("abort", withdraw, { once: true });
	const result = await race(turn, answer).finally(() => turn.stop.signal.removeEventListener("abort", withdraw));
	const outcome = fieldsOf(fieldsOf(result).outcome);
	const chosen = OPTIONS.find(({ optionId }) => outcome.outcome === "selected" && optionId === outcome.optionId);
	return { allowed: chosen?.kind.startsWith("allow") ?? false, word: chosen?.optionId ?? String(outcome.outcome ?? "malformed") };
}

/** One of our tools over MCP. @param {Turn} turn @param {string} rest */
export async function useTool(turn, rest) {
	const [, name = "", json = ""] = /^(\S+)\s*(.*)$/s.exec(rest) ?? [];
	const args = json === "" ? {} : JSON.parse(json);
	const toolCallId = randomUUID();
	const call = { toolCallId, title: `mcp__rightseat__${name}`, kind: "other", rawInput: args };
	update(turn, { sessionUpdate: "tool_call", status: "pending", ...call, rawInput: {} });
	update(turn, { sessionUpdate: "tool_call_update", toolCallId, rawInput: args });
	if (turn.switches.has("asks")) {
		const { allowed, word } = await askPermission(turn, call);
		if (!allowed) return finish(turn, toolCallId, { text: `Not permitted: ${word}`, ok: false });
	}
	update(turn, { sessionUpdate: "tool_call_update", toolCallId, status: "in_progress" });
	if (turn.mcp === undefined) return finish(turn, toolCallId, { text: "There is no MCP server.", ok: false });
	try {
		const result = await race(turn, turn.mcp.call(name, args, tie(turn, toolCallId), turn.stop.signal));
		const text = result.content.map((part) => part.text ?? "").join("");
		finish(turn, toolCallId, { text, ok: result.isError !== true });
	} catch (error) {
		if (turn.stop.signal.aborted) throw error;
		finish(turn, toolCallId, { text: error instanceof Error ? error.message : String(error), ok: false });
	}
}

/** @param {Turn} turn @param {string} toolCallId */
function tie(turn, toolCallId) {
	if (turn.switches.get("tie") === "claude") return { "claudecode/toolUseId": toolCallId };
	if (turn.switches.get("tie") === "codex") return { callId: toolCallId, sessionId: turn.session.id };
	return {};
}

/** @param {Turn} turn @param {string} toolCallId @param {{ text: string, ok: boolean }} result */
function finish(turn, toolCallId, { text, ok }) {
	const content = [{ type: "content", content: { type: "text", text } }];
	update(turn, {
		sessionUpdate: "tool_call_update",
		toolCallId,
		status: ok ? "completed" : "failed",
		content,
		rawOutput: { output: text },
	});
	turn.messageId = randomUUID();
	say(turn, ok ? "Done." : "That did not work.");
}

/** A command in a shell of its own, in a session of its own as all real agents do it. @param {Turn} turn @param {string} command */
export async function runCommand(turn, command) {
	const toolCallId = randomUUID();
	const call = { toolCallId, title: command, name: "bash", kind: "execute", rawInput: { command } };
	update(turn, { sessionUpdate: "tool_call", status: "pending", ...call });
	const { allowed, word } = await askPermission(turn, call);
	if (!allowed) return finish(turn, toolCallId, { text: `Not permitted: ${word}`, ok: false });
	update(turn, { sessionUpdate: "tool_call_update", toolCallId, status: "in_progress" });
	const child = spawn("bash", ["-c", command], { cwd: turn.session.cwd, detached: true, stdio: ["ignore", "pipe", "pipe"] });
	let output = "";
	for (const stream of [child.stdout, child.stderr]) {
		stream.setEncoding("utf8").on("data", (text) => {
			output += text;
			const content = [{ type: "content", content: { type: "text", text: output } }];
			update(turn, { sessionUpdate: "tool_call_update", toolCallId, status: "in_progress", content });
		});
	}
	const kill = () => process.kill(-(child.pid ?? 0), "SIGKILL");
	if (turn.onCancel !== "ignore") turn.stop.signal.addEventListener("abort", kill, { once: true });
	const code = await race(turn, new Promise((resolve) => child.once("close", resolve))).finally(() =>
		turn.stop.signal.removeEventListener("abort", kill),
	);
	finish(turn, toolCallId, { text: output, ok: code === 0 });
}

/** @param {Turn} turn @param {string} rest */
export async function editFile(turn, rest) {
	const [, name = "", newText = ""] = /^(\S+)\s*(.*)$/s.exec(rest) ?? [];
	const path = isAbsolute(name) ? name : join(turn.session.cwd, name);
	const diff = { type: "diff", path, newText, ...(existsSync(path) ? { oldText: readFileSync(path, "utf8") } : {}) };
	const toolCallId = randomUUID();
	const call = {
		toolCallId,
		title: `Edit ${name}`,
		kind: "edit",
		rawInput: { path, content: newText },
		locations: [{ path }],
		content: [diff],
	};
	update(turn, { sessionUpdate: "tool_call", status: "pending", ...call });
	const { allowed, word } = await askPermission(turn, call);
	if (!allowed) return finish(turn, toolCallId, { text: `Not permitted: ${word}`, ok: false });
	writeFileSync(path, newText);
	update(turn, { sessionUpdate: "tool_call_update", toolCallId, status: "completed", content: [diff] });
	turn.messageId = randomUUID();
	say(turn, "Written.");
}

/** Asks as Claude Code does: a form with one field of choices and one for other words. @param {Turn} turn @param {string} rest */
export async function askPerson(turn, rest) {
	const [question = "", ...answers] = rest.split("|").map((part) => part.trim());
	const toolCallId = randomUUID();
	update(turn, {
		sessionUpdate: "tool_call",
		toolCallId,
		title: "AskUserQuestion",
		kind: "other",
		status: "pending",
		rawInput: { question },
	});
	const choice = { type: "string", title: question, oneOf: answers.map((answer) => ({ const: answer, title: answer })) };
	const words = { type: "string", title: answers.length > 0 ? "Other" : question };
	const properties = answers.length > 0 ? { question_0: choice, question_0_custom: words } : { question_0_custom: words };
	const requestedSchema = { type: "object", properties, required: [] };
	const params = { sessionId: turn.session.id, toolCallId, mode: "form", message: question, requestedSchema };
	const { action, content } = fieldsOf(await race(turn, turn.wire.request("elicitation/create", params).answer));
	const given = fieldsOf(content);
	const status = action === "accept" ? "completed" : "failed";
	update(turn, { sessionUpdate: "tool_call_update", toolCallId, status });
	const answer = given.question_0_custom || given.question_0 || "nothing";
	say(turn, action === "accept" ? `Answer: ${answer}` : `No answer: ${action}`);
}
