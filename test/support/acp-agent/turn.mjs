// One turn of the scripted agent: the prompt says what happens in it, a command to a line.

import { randomUUID } from "node:crypto";
import { BAD_COMMANDS } from "./bad-commands.mjs";
import { answer, COMMANDS } from "./commands.mjs";
import { textOf } from "./fields.mjs";
import { Cancelled, say } from "./speak.mjs";
import { RpcError } from "./wire.mjs";

/**
 * @typedef {import("./sessions.mjs").Session} Session
 * @typedef {import("./wire.mjs").Wire} Wire
 * @typedef {import("./mcp-client.mjs").McpClient} McpClient
 * @typedef {{
 *   session: Session, wire: Wire, switches: import("./switches.mjs").Switches, mcp: McpClient | undefined, blocks: import("./fields.mjs").Fields[],
 *   stop: AbortController, steered: string[], onSteer: () => void, promptId: number | string | undefined, messageId: string, said: string,
 *   result: unknown, onCancel: "answer" | "ignore" | "end_turn" | "error", after: (() => void)[], last: Record<string, unknown>,
 * }} Turn
 * @typedef {(turn: Turn, rest: string) => unknown} Command
 */

/** @param {Pick<Turn, "session" | "wire" | "switches" | "mcp" | "blocks" | "promptId" | "last">} given @returns {Turn} */
export const createTurn = (given) => ({
	...given,
	stop: new AbortController(),
	steered: [],
	onSteer: () => undefined,
	messageId: randomUUID(),
	said: "",
	result: undefined,
	onCancel: "answer",
	after: [],
});

/** Plays the prompt. The result is that of `session/prompt`; undefined: it is never answered. @param {Turn} turn */
export async function playTurn(turn) {
	try {
		for (const line of scriptOf(turn.blocks)) await playLine(turn, line);
	} catch (error) {
		if (!(error instanceof Cancelled)) throw error;
		if (turn.onCancel === "error") throw new RpcError(-32603, "The turn was cancelled.");
		return { stopReason: turn.onCancel === "end_turn" ? "end_turn" : "cancelled", usage: usage(0) };
	}
	return turn.result === undefined ? { stopReason: "end_turn", usage: usage(turn.said.length) } : turn.result;
}

/** The commands of a prompt: the lines after its last empty one, because what a client puts before a prompt is no command. @param {import("./fields.mjs").Fields[]} blocks */
export function scriptOf(blocks) {
	const texts = blocks.filter(({ type }) => type === "text").map(({ text }) => textOf(text).trim());
	const last = texts.filter((text) => text !== "").at(-1) ?? "";
	return (last.split(/\n\s*\n/).at(-1) ?? "").split(/\n| ;; /).map((line) => line.trim());
}

/** @param {Turn} turn @param {string} line */
async function playLine(turn, line) {
	const [, name = "", rest = ""] = /^(\S+)\s*(.*)$/s.exec(line) ?? [];
	/** @type {Command | undefined} */
	const command = COMMANDS[name] ?? BAD_COMMANDS[name];
	if (command === undefined && turn.switches.has("answers")) await answer(turn, line);
	else if (command === undefined) say(turn, `You said: ${line}`);
	else await command(turn, rest);
	if (turn.stop.signal.aborted && turn.onCancel !== "ignore") throw new Cancelled();
}

/** @param {number} tokens */
const usage = (tokens) => ({ totalTokens: 10 + tokens, inputTokens: 10, outputTokens: tokens });
