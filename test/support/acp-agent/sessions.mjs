// The sessions of the scripted agent, one file each, so that a killed agent finds them again.

import { randomUUID } from "node:crypto";
import { appendFileSync, existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/**
 * @typedef {{ id: string, cwd: string, title: string, pid: number, turns: number, options: Record<string, string | boolean>, history: { role: "user" | "assistant", text: string }[] }} Session
 * @typedef {ReturnType<typeof createSessions>} Sessions
 */

/** The name of the file that says that two living processes had one session open. */
export const TWO_AT_ONCE = "two-at-once.log";

/** @param {string | undefined} folder @param {{ startMode: string }} options */
export function createSessions(folder, { startMode }) {
	/** @type {Map<string, Session>} */
	const memory = new Map();
	if (folder !== undefined) mkdirSync(folder, { recursive: true });
	const startOptions = () => ({ mode: startMode, model: "small", effort: "low", fast: false });

	/** @param {string} id */
	const fileOf = (id) => join(folder ?? "", `${encodeURIComponent(id)}.json`);

	/** @param {string} cwd @returns {Session} */
	function create(cwd) {
		const session = { id: `s-${randomUUID()}`, cwd, title: "", pid: process.pid, turns: 0, options: startOptions(), history: [] };
		memory.set(session.id, session);
		save(session);
		return session;
	}

	/** @param {Session} session */
	function save(session) {
		if (folder === undefined) return;
		const file = fileOf(session.id);
		writeFileSync(`${file}.${process.pid}`, JSON.stringify(session));
		renameSync(`${file}.${process.pid}`, file);
	}

	/** The session as it was left, by this process or an earlier one. @param {string} id @returns {Session | undefined} */
	function find(id) {
		const known = memory.get(id);
		if (known !== undefined) return known;
		if (folder === undefined || !existsSync(fileOf(id))) return undefined;
		return JSON.parse(readFileSync(fileOf(id), "utf8"));
	}

	/** Makes a session that was found one of this process. @param {Session} session @param {{ forgetOptions: boolean }} how */
	function adopt(session, { forgetOptions }) {
		if (forgetOptions) session.options = startOptions();
		if (isHeld(session)) appendFileSync(join(folder ?? "", TWO_AT_ONCE), `${session.id} ${session.pid} ${process.pid}\n`);
		session.pid = process.pid;
		memory.set(session.id, session);
		save(session);
	}

	/** Whether another living process has it open. @param {Session} session */
	function isHeld(session) {
		if (session.pid === process.pid || session.pid <= 0) return false;
		try {
			process.kill(session.pid, 0);
		} catch {
			return false;
		}
		return !hasEnded(session.pid);
	}

	/** @param {Session} session */
	function close(session) {
		memory.delete(session.id);
		session.pid = 0;
		save(session);
	}

	/** @param {string} id */
	function remove(id) {
		memory.delete(id);
		if (folder !== undefined) rmSync(fileOf(id), { force: true });
	}

	/** @returns {Session[]} */
	function list() {
		if (folder === undefined) return [...memory.values()];
		return readdirSync(folder)
			.filter((name) => name.endsWith(".json"))
			.map((name) => JSON.parse(readFileSync(join(folder, name), "utf8")));
	}

	return { create, save, find, adopt, isHeld, close, remove, list };
}

/** One that has ended and that nobody has waited for yet can still be signalled. @param {number} pid */
function hasEnded(pid) {
	try {
		return /^\d+ \(.*\) [ZX] /s.test(readFileSync(`/proc/${pid}/stat`, "latin1"));
	} catch {
		// No /proc to look at: what can be signalled counts as alive.
		return process.platform === "linux";
	}
}
