import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach } from "vitest";
import { systemClock } from "../../../core/kernel/clock.ts";
import { type Logger, silentLogger } from "../../../core/kernel/logger.ts";
import { createMemoryLedger } from "../../../core/kernel/memory-ledger.ts";
import type { SignalProcess } from "./kill-session.ts";
import { createTerminals, type OpenTerminal, type Terminals } from "./terminals.ts";

/**
 * Terminals with a real bash in a home of their own, for every test of the file: the start files of whoever runs the tests may be slow,
 * and their history is not ours.
 */
export function useTerminals() {
	let home = "";
	let terminals: Terminals;
	const made: Terminals[] = [];
	function create(changes: { logger?: Logger; signal?: SignalProcess } = {}): Terminals {
		const env = { PATH: process.env.PATH, HOME: home, SHELL: "/bin/bash" };
		const created = createTerminals({ clock: systemClock, logger: silentLogger, env, memory: createMemoryLedger(), ...changes });
		made.push(created);
		return created;
	}
	beforeEach(() => {
		home = mkdtempSync(join(tmpdir(), "rightseat-terminal-"));
		terminals = create();
	});
	afterEach(async () => {
		await Promise.all(made.splice(0).map((one) => one.close()));
		rmSync(home, { recursive: true, force: true });
	});
	return { home: () => home, terminals: () => terminals, create };
}

/** A request for a terminal of the usual size. */
export const terminalAt = (terminalId: string, more: Partial<OpenTerminal> = {}): OpenTerminal => ({
	terminalId,
	cwd: tmpdir,
	cols: 80,
	rows: 24,
	...more,
});

/** Someone who looks, and remembers. */
export function createViewer() {
	let text = "";
	const waiting = new Set<() => void>();
	let ended: (code: number | null) => void = () => undefined;
	const exited = new Promise<number | null>((resolve) => {
		ended = resolve;
	});
	return {
		exited,
		text: () => text,
		output(data: string) {
			text = (text + data).slice(-500_000);
			for (const check of [...waiting]) check();
		},
		exit: (code: number | null) => ended(code),
		/**
		 * Waits for what the shell says. What was typed is echoed as well, so the pattern must not match the command line itself:
		 * `echo end-$((1+1))` is waited for as `end-2`.
		 */
		until: (wanted: RegExp) =>
			new Promise<RegExpExecArray>((resolve) => {
				function check() {
					const found = wanted.exec(text);
					if (found === null) return;
					waiting.delete(check);
					resolve(found);
				}
				waiting.add(check);
				check();
			}),
	};
}
