import { opendir } from "node:fs/promises";
import { join } from "node:path";
import { cutText } from "@rightseat/protocol/text";
import type { ListedSession } from "../../../core/ports/listed-sessions.ts";
import { DESCRIPTION, HISTORY, parseLine } from "../session/history-lines.ts";
import { isOwnFolder, openOwnFile, readOwnText } from "./own-file.ts";

/** A history that is larger is not taken over: it would be copied, read and kept a second time. */
export const MAX_TAKEN_HISTORY_BYTES = 256 * 1_048_576;
/** Of what stands beside and at the beginning of a history so much is read. */
export const MAX_DESCRIPTION_BYTES = 65_536;
/** Entries of a session's folder among which its locks are looked for. */
const MAX_LOCK_ENTRIES = 1_000;
const MAX_TITLE_CHARS = 200;
const MAX_PATH_CHARS = 4_096;

/** A session of the Copilot CLI as its folder describes it; undefined: nothing was ever said in it, or there is none. Only reads. */
export async function lookAtSession(sessions: string, sessionId: string): Promise<ListedSession | undefined> {
	const folder = join(sessions, sessionId);
	const unknown = { sessionId, title: "", cwd: "" };
	if (!(await isOwnFolder(folder))) return { ...unknown, problem: "foreign" };
	const history = join(folder, HISTORY);
	try {
		const opened = await openOwnFile(history);
		if (opened === undefined) return { ...unknown, problem: "foreign" };
		await opened.file.close();
		if (opened.size === 0) return undefined;
		const start = startOf(await readOwnText(history, MAX_DESCRIPTION_BYTES), sessionId);
		const described = describe(await readOwnText(join(folder, DESCRIPTION), MAX_DESCRIPTION_BYTES), start?.cwd);
		return {
			...{ sessionId, ...described, updatedAt: opened.modifiedAt.toISOString() },
			...((await isHeld(folder)) ? { isHeld: true as const } : {}),
			...problemOf({ isDamaged: start === undefined || described.cwd === "", size: opened.size }),
		};
	} catch (error) {
		if (error instanceof Error && "code" in error && error.code === "ENOENT") return undefined;
		return { ...unknown, problem: "damaged" };
	}
}

function problemOf({ isDamaged, size }: { isDamaged: boolean; size: number }): Pick<ListedSession, "problem"> {
	if (isDamaged) return { problem: "damaged" };
	return size > MAX_TAKEN_HISTORY_BYTES ? { problem: "too-large" } : {};
}

/** What the first line says; undefined: this is no history of that session. */
function startOf(text: string | undefined, sessionId: string): { cwd: unknown } | undefined {
	const event = parseLine(Buffer.from(text?.slice(0, text.indexOf("\n")) ?? ""));
	if (event?.type !== "session.start") return undefined;
	const data = recordOf(event.data);
	return data.sessionId === sessionId ? { cwd: recordOf(data.context).cwd } : undefined;
}

function describe(text: string | undefined, startedIn: unknown): { title: string; cwd: string } {
	const cwd = scalarOf(text ?? "", "cwd") ?? (typeof startedIn === "string" ? startedIn : "");
	const title = scalarOf(text ?? "", "name") ?? scalarOf(text ?? "", "summary") ?? "";
	return { title: cutText(title.replace(/\s+/g, " ").trim(), MAX_TITLE_CHARS), cwd: cwd.length > MAX_PATH_CHARS ? "" : cwd };
}

/** One value at the top level of a YAML document, as the CLI writes them: plain, quoted, or a block of lines. */
export function scalarOf(yaml: string, key: string): string | undefined {
	const lines = yaml.split(/\r?\n/);
	const at = lines.findIndex((line) => line.startsWith(`${key}:`));
	const value = lines[at]?.slice(key.length + 1).trim();
	if (value === undefined || value === "" || value === "null" || value === "~") return undefined;
	if (value.startsWith('"')) return unquoted(value);
	if (value.startsWith("'")) return value.slice(1, -1).replaceAll("''", "'");
	if (!/^[|>]/.test(value)) return value;
	const rest = lines.slice(at + 1);
	const end = rest.findIndex((line) => line !== "" && !line.startsWith(" "));
	const block = end < 0 ? rest : rest.slice(0, end);
	return block.map((line) => line.trim()).join(" ");
}

function unquoted(value: string): string | undefined {
	try {
		const text: unknown = JSON.parse(value);
		return typeof text === "string" ? text : undefined;
	} catch {
		// An escape that only YAML knows.
		return value.slice(1, -1);
	}
}

/** Whether a process that lives has it open; a lock of one that was killed says nothing. */
export async function isHeld(folder: string): Promise<boolean> {
	let seen = 0;
	for await (const { name } of await opendir(folder)) {
		const pid = /^inuse\.(\d{1,10})\./.exec(name)?.[1];
		if (pid !== undefined && isAlive(Number(pid))) return true;
		seen += 1;
		if (seen >= MAX_LOCK_ENTRIES) return false;
	}
	return false;
}

function isAlive(pid: number): boolean {
	try {
		process.kill(pid, 0);
		return true;
	} catch (error) {
		return error instanceof Error && "code" in error && error.code === "EPERM";
	}
}

const recordOf = (value: unknown): Record<string, unknown> => (typeof value === "object" && value !== null ? { ...value } : {});
