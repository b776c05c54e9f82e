import type { Message } from "@rightseat/protocol/model/message";
import type { StatusSight } from "./browser-page.ts";
import type { ShownRow } from "./browser-rows.ts";

/** What the page drew and said at the end of a round, and what was typed into it. */
export interface PageObservation {
	rows: readonly ShownRow[];
	status: string;
	/** Something typed before a backup was put back may be gone. */
	typed: readonly { text: string; mayBeLost: boolean }[];
}

/** The page draws at least this many of the newest rows, if there are so many. */
const MIN_ROWS = 6;
export const CONNECTED = "Connected";

/** Whether the page shows what is stored, all of it, once and in order. Each finding is a sentence; none is good. */
export function examinePage({ rows, status, typed }: PageObservation, messages: readonly Message[]): string[] {
	const findings: string[] = [];
	if (status !== CONNECTED) findings.push(`The browser's page says "${status}" in peace.`);
	for (const row of rows)
		if (row.state !== "settled") findings.push(`The browser's page still shows "${brief(row.text)}" as ${row.state}.`);
	const keys = rows.map((row) => row.key);
	for (const key of new Set(keys.filter((one, at) => keys.indexOf(one) !== at))) findings.push(`The browser's page draws ${key} twice.`);
	const expected = expectedRows(messages);
	if (rows.length < Math.min(MIN_ROWS, expected.length))
		findings.push(`The browser's page draws ${rows.length} rows of ${expected.length}.`);
	const newest = expected.slice(-rows.length);
	const shown = rows.slice(-newest.length);
	const wrong = shown.findIndex((row, at) => !sameRow(row, newest[at]));
	if (wrong >= 0 || rows.length > expected.length) {
		const [is, should] = [shown[wrong], newest[wrong]];
		findings.push(
			`The browser's page shows other text than is stored: ${is?.role} "${brief(is?.text)}" instead of ${should?.role} "${brief(should?.text)}" (row ${wrong} of ${shown.length}).`,
		);
	}
	for (const { text, mayBeLost } of typed) {
		const copies = messages.filter((message) => message.role === "user" && isWhatWasTyped(message, text)).length;
		if (copies !== 1 && !(copies === 0 && mayBeLost))
			findings.push(`"${brief(text)}", typed into the browser's page, is stored ${copies} times.`);
	}
	return findings;
}

/** Whether the page named its state in time, and came back by itself. */
export function examineStatus(
	sights: readonly StatusSight[],
	outage: { from: number; healed: number; noticeMs: number; returnMs: number },
): string[] {
	const after = sights.filter((sight) => sight.at >= outage.from);
	const noticed = after.find((sight) => sight.words !== CONNECTED && sight.words !== "");
	if (noticed === undefined) return [`The page did not say within ${outage.noticeMs} ms that the connection was lost.`];
	if (noticed.at - outage.from > outage.noticeMs)
		return [`The page said only after ${noticed.at - outage.from} ms that the connection was lost.`];
	const back = after.find((sight) => sight.at >= outage.healed && sight.words === CONNECTED);
	if (back === undefined) return [`The page was not connected ${outage.returnMs} ms after the network was.`];
	if (back.at - outage.healed > outage.returnMs)
		return [`The page was connected only ${back.at - outage.healed} ms after the network was.`];
	return [];
}

interface ExpectedRow {
	role: ShownRow["role"];
	text: string;
	output: string;
}

/** Stored messages in the order in which a person reads them: an answer below its prompt, queued prompts elsewhere. */
function expectedRows(messages: readonly Message[]): ExpectedRow[] {
	const rows: ExpectedRow[] = [];
	const placed = new Set<Message>();
	const place = (message: Message) => {
		if (placed.has(message)) return;
		placed.add(message);
		rows.push(rowOf(message));
	};
	for (const message of messages) {
		if (message.role === "assistant") {
			place(message);
			continue;
		}
		if (message.metadata.delivery === "queued" || message.metadata.delivery === "steered") continue;
		place(message);
		for (const answer of messages) if (answer.role === "assistant" && answer.metadata.inReplyTo === message.id) place(answer);
	}
	return rows;
}

function rowOf(message: Message): ExpectedRow {
	if (message.role === "assistant") return { role: "agent", text: message.content, output: "" };
	if (message.metadata.bash !== true) return { role: "user", text: message.content, output: "" };
	const command = message.metadata.command ?? "";
	const output = message.content.slice(message.content.indexOf(`$ ${command}\n`) + command.length + 3);
	return { role: "command", text: command, output: output.replace(/\n?\[exit code: [^\]\n]*\]\s*$/, "") };
}

function sameRow(shown: ShownRow, expected: ExpectedRow | undefined): boolean {
	if (expected === undefined || shown.role !== expected.role || words(shown.text) !== words(expected.text)) return false;
	const output = words(expected.output);
	const [head = "", tail] = shown.output.map(words);
	// A long output is folded in the middle.
	return tail === undefined ? head === output : output.startsWith(head) && output.endsWith(tail);
}

function isWhatWasTyped(message: Extract<Message, { role: "user" }>, typed: string): boolean {
	if (typed.startsWith("!")) return message.metadata.bash === true && message.metadata.command === typed.slice(1).trim();
	return message.metadata.bash !== true && message.content === typed;
}

/** Marks and white space are drawn, not written: what is compared is the letters and digits. */
const words = (text: string) => text.replace(/[^\p{L}\p{N}]+/gu, " ").trim();

const brief = (text = "nothing") => (text.length > 120 ? `…${text.slice(-120)}` : text);
