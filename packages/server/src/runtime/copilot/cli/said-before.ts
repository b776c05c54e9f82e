import { createReadStream } from "node:fs";
import { join } from "node:path";
import type { SaidBefore } from "../../../core/ports/listed-sessions.ts";
import { HISTORY, linesOf, parseLine, promptMark, READ_BYTES } from "../session/history-lines.ts";

/** Messages of a session that is taken over that are shown, the newest … */
export const MAX_SAID_MESSAGES = 200;
/** … and their length together. */
const MAX_SAID_CHARS = 1_000_000;
/** A line that is longer is not what somebody said. */
const MAX_SAID_LINE_BYTES = 1_048_576;

type Said = SaidBefore["messages"][number];

/** What people and the agent said in a session, the newest of it: prompts, and to each the whole answer in one. Tools and sub-agents are left out. */
export async function readSaidBefore(sessions: string, sessionId: string): Promise<SaidBefore> {
	const messages: Said[] = [];
	let chars = 0;
	let isCut = false;
	const add = (said: Said) => {
		const last = messages.at(-1);
		chars += said.text.length;
		if (last !== undefined && last.role === "assistant" && said.role === "assistant") last.text = `${last.text}\n\n${said.text}`;
		else messages.push(said);
		while (messages.length > MAX_SAID_MESSAGES || (chars > MAX_SAID_CHARS && messages.length > 0)) {
			chars -= messages.shift()?.text.length ?? 0;
			isCut = true;
		}
	};
	const file = createReadStream(join(sessions, sessionId, HISTORY), { highWaterMark: READ_BYTES });
	for await (const line of linesOf(file)) {
		if (!line.includes('"user.message"') && !line.includes('"assistant.message"')) continue;
		if (line.length > MAX_SAID_LINE_BYTES) isCut = true;
		else for (const said of readSaid(line)) add(said);
	}
	return { messages, isCut };
}

function readSaid(line: Buffer): Said[] {
	const event = parseLine(line);
	if (event === undefined || event.agentId !== undefined || typeof event.data !== "object" || event.data === null) return [];
	const data: Record<string, unknown> = { ...event.data };
	const text = typeof data.content === "string" ? data.content.trim() : "";
	if (text === "") return [];
	const at = typeof event.timestamp === "string" ? Date.parse(event.timestamp) : Number.NaN;
	const when = Number.isNaN(at) ? {} : { at };
	if (event.type === "assistant.message") return data.parentToolCallId === undefined ? [{ role: "assistant", text, ...when }] : [];
	const mark = promptMark(line);
	return mark === undefined ? [] : [{ role: "user", text, ...when, ...(mark === "" ? {} : { mark }) }];
}
