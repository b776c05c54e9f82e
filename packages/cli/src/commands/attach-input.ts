import { randomUUID } from "node:crypto";
import type { ClientFrame } from "@rightseat/protocol/frames/client";
import { asideAnswer } from "@rightseat/protocol/http/context";
import { conversationAnswer, toolAnswer } from "@rightseat/protocol/http/conversations";
import { MAX_PROMPT_CHARS } from "@rightseat/protocol/limits";
import type { ToolRecord } from "@rightseat/protocol/model/turn";
import type { Api } from "../connection/api.ts";
import type { BegunLine } from "../terminal/begun-line.ts";
import type { Floor } from "../terminal/floor.ts";
import type { Look } from "../terminal/look.ts";
import { planRows } from "../terminal/message-rows.ts";
import { safeLine, safeText, withoutAnsi } from "../terminal/safe-text.ts";
import type { Transcript } from "../terminal/transcript.ts";

/** Rows of a call that `/open` shows; the page shows everything. */
const MAX_OPENED_ROWS = 400;

export interface InputDeps {
	conversationId: string;
	api: Api;
	look: Look;
	transcript: Transcript;
	/** Which request the next line answers. */
	floor: Floor;
	/** Which it was begun for. */
	begun: Pick<BegunLine, "moved">;
	/** The line stays, as it was typed. */
	keep(typed: string): void;
	print(rows: readonly string[]): void;
	/** False: too much waits for the line already. */
	deliver(frame: ClientFrame): boolean;
	/** What the server says to a request that it refuses, or that it cannot be reached. */
	sayFailure(error: unknown): Promise<string>;
	stop(): void;
	quit(): void;
}

/** What a person typed: an answer to what waits, a command of this terminal, a shell command, or a prompt. */
export function takeInput(typed: string, deps: InputDeps) {
	const { look, print, conversationId } = deps;
	const { words, paint } = look;
	const note = (text: string) => print([paint(text, "dim")]);
	const text = typed.trim();
	const { current } = deps.floor;
	const deliver = (frame: ClientFrame) => {
		if (!deps.deliver(frame)) print([paint(words.busyHere, "dim"), ...(current?.rows() ?? [])]);
	};
	if (text === "" && current?.takesAll !== true) return;
	if (text.length > MAX_PROMPT_CHARS) return note(words.tooLongHere(MAX_PROMPT_CHARS));
	if (/^\/[^/]/.test(text)) return slash(text, deps, note);
	const isAnswer = current !== undefined && (current.takesAll || !text.startsWith("!"));
	const moved = isAnswer || !text.startsWith("!") ? deps.begun.moved() : undefined;
	if (moved !== undefined) {
		deps.keep(typed);
		return note(moved === "asked" ? words.askedMeanwhile : words.settledMeanwhile);
	}
	if (isAnswer) {
		const taken = current.take(text.startsWith("//") ? text.slice(1) : text);
		return "frame" in taken ? deliver(taken.frame) : print(taken.rows);
	}
	const clientMessageId = randomUUID();
	if (text.startsWith("!") && text.length > 1)
		return deliver({ type: "bash:exec", data: { conversationId, command: text.slice(1), clientMessageId } });
	deliver({ type: "copilot:send", data: { conversationId, prompt: text.startsWith("//") ? text.slice(1) : typed, clientMessageId } });
}

function slash(text: string, deps: InputDeps, note: (text: string) => void) {
	const { words } = deps.look;
	const [name = "", argument = ""] = text.split(/\s+/);
	switch (name) {
		case "/help":
			return deps.print(words.attachHelp.map((line) => `  ${line}`));
		case "/stop":
			return deps.stop();
		case "/quit":
		case "/exit":
			return deps.quit();
		case "/queue": {
			const { queue } = deps.transcript.state;
			return queue.length === 0
				? note(words.queueEmpty)
				: deps.print(queue.map(({ content }, index) => `  ${index + 1}  ${safeLine(content)}`));
		}
		case "/plan": {
			const { turn, messages } = deps.transcript.state;
			const last = messages.findLast((message) => message.role === "assistant");
			const plan = turn?.plan ?? (last?.role === "assistant" ? last.metadata.plan : undefined) ?? [];
			return plan.length === 0 ? note(words.planNone) : deps.print(planRows(plan, deps.look));
		}
		case "/mode":
		case "/effort":
			return ask(choose(name === "/mode" ? "mode" : "effort", argument, deps), deps);
		case "/btw":
			return ask(askAside(text.slice(name.length).trim(), deps), deps);
		case "/open":
			void openCall(Number(argument), deps).catch(() => note(words.notOpened));
			return;
		default:
			note(words.unknownSlash(safeLine(name)));
	}
}

/** What was asked of the server beside the conversation; a refusal is told like any other. */
function ask(work: Promise<readonly string[]>, { look, print, sayFailure }: InputDeps): void {
	const failed = async (error: unknown) => print([`${look.paint("!", "red", "bold")} ${safeLine(await sayFailure(error))}`]);
	work.then(print, failed).catch(() => undefined);
}

/** Without a value it tells which is set. */
async function choose(setting: "mode" | "effort", value: string, { api, look, conversationId }: InputDeps): Promise<readonly string[]> {
	const path = `/api/conversations/${encodeURIComponent(conversationId)}`;
	const answer = value === "" ? api.get(path, conversationAnswer) : api.patch(path, { [setting]: value }, conversationAnswer);
	const { conversation } = await answer;
	return [look.paint(look.words.settingIs(setting, safeLine(conversation[setting])), "dim")];
}

/** A question that leaves no trace; only this terminal shows its answer. */
async function askAside(question: string, { api, look, conversationId }: InputDeps): Promise<readonly string[]> {
	if (question === "") return [look.paint(look.words.asideEmpty, "dim")];
	const path = `/api/conversations/${encodeURIComponent(conversationId)}/aside`;
	const { answer } = await api.post(path, { question, requestId: randomUUID() }, asideAnswer);
	return [
		look.paint(look.words.asideHead(safeLine(question)), "dim"),
		...safeText(answer)
			.split("\n")
			.map((row) => `  ${row}`),
	];
}

async function openCall(number: number, { api, look, transcript, print, conversationId }: InputDeps): Promise<void> {
	const call = transcript.numbered(number);
	if (call === undefined) return print([look.paint(look.words.notOpened, "dim")]);
	const [conversation, turn, tool] = [conversationId, call.turnId, call.toolCallId].map(encodeURIComponent);
	const answer = await api.get(`/api/conversations/${conversation}/messages/${turn}/tools/${tool}`, toolAnswer);
	const rows = callText(answer.tool).split("\n");
	const left = rows.length - MAX_OPENED_ROWS;
	print([...rows.slice(0, MAX_OPENED_ROWS).map((row) => `  ${row}`), ...(left > 0 ? [`  ${look.words.moreOutput(left)}`] : [])]);
}

function callText(tool: ToolRecord): string {
	const args = typeof tool.arguments === "string" ? tool.arguments : JSON.stringify(tool.arguments, undefined, 2);
	const result = tool.error ?? tool.result ?? tool.output ?? "";
	return safeText(withoutAnsi(`${tool.toolName} ${args}\n\n${result}`));
}
