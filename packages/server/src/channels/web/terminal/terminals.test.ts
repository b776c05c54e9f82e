import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { systemClock } from "../../../core/kernel/clock.ts";
import { silentLogger } from "../../../core/kernel/logger.ts";
import { createScrollback } from "./scrollback.ts";
import { terminalEnv } from "./terminal-env.ts";
import { createTerminals, MAX_TERMINALS, type Terminals, type Viewer } from "./terminals.ts";

test("[WS39] scrollback keeps the newest output, from a whole line on", () => {
	const scrollback = createScrollback(100);
	for (let i = 0; i < 1_000; i += 1) scrollback.add(`line ${i}\n`);
	const text = scrollback.text();
	expect(text.length).toBeLessThanOrEqual(125);
	expect(text.startsWith("line ")).toBe(true);
	expect(text.endsWith("line 999\n")).toBe(true);
});

test("[WS40] a terminal's environment has only names from the list", () => {
	const env = terminalEnv({
		PATH: "/bin",
		LC_ALL: "C",
		GITHUB_TOKEN: "x",
		TELEGRAM_BOT_TOKEN: "x",
		RIGHTSEAT_PROVIDER_KEY: "x",
		NODE_OPTIONS: "x",
		HOME: undefined,
	});
	expect(env).toEqual({ PATH: "/bin", LC_ALL: "C", TERM: "xterm-256color", COLORTERM: "truecolor" });
});

describe("with a real shell", () => {
	let terminals: Terminals;
	let home: string;
	beforeEach(() => {
		// A home of its own: the start files of whoever runs the tests may be slow, and their history is not ours.
		home = mkdtempSync(join(tmpdir(), "rightseat-terminal-"));
		terminals = createTerminals({
			clock: systemClock,
			logger: silentLogger,
			env: { PATH: process.env.PATH, HOME: home, SHELL: "/bin/bash" },
		});
	});
	afterEach(async () => {
		await terminals.close();
		rmSync(home, { recursive: true, force: true });
	});
	const open = (terminalId: string, viewer: Viewer) => terminals.open({ terminalId, cwd: tmpdir, cols: 80, rows: 24 }, viewer);

	test("[WS37] what is typed runs, what it shows comes back, and its end is told", async () => {
		const viewer = createViewer();
		await open("t1", viewer);
		terminals.input("t1", "echo $((40+2))-here; stty size; exit 3\r");
		expect(await viewer.exited).toBe(3);
		expect(viewer.text()).toMatch(/42-here\s+24 80/);
		expect(() => terminals.input("t1", "x")).toThrow("ended");
	});

	test("[WS38] a terminal lives on when nobody looks, and shows all of it to whoever comes back", async () => {
		const first = createViewer();
		await open("t1", first);
		terminals.input("t1", "echo before-$((1+1))\r");
		await first.until("before-2");
		terminals.leave(first);
		terminals.input("t1", "echo while-$((1+2))-away\r");
		const second = createViewer();
		let view = await open("t1", second);
		while (!view.scrollback.includes("while-3-away")) {
			await second.until("while-3-away");
			view = await open("t1", second);
		}
		expect(view.scrollback).toContain("before-2");
		expect(first.text()).not.toContain("while-3-away");
	});

	test("[WS38] several viewers see the same, and nobody sees a line twice", async () => {
		const [a, b] = [createViewer(), createViewer()];
		await open("t1", a);
		terminals.input("t1", "echo one-$((1+1))\r");
		await a.until("one-2");
		const view = await open("t1", b);
		terminals.input("t1", "echo two-$((1+1))\r");
		await Promise.all([a.until("two-2"), b.until("two-2")]);
		expect(`${view.scrollback}${b.text()}`.match(/one-2/g)).toHaveLength(1);
	});

	test("[WS39] when all places are taken the longest unwatched terminal gives way, a watched one never", async () => {
		const viewers = Array.from({ length: MAX_TERMINALS }, createViewer);
		for (const [index, viewer] of viewers.entries()) await open(`t${index}`, viewer);
		await expect(open("one-more", createViewer())).rejects.toMatchObject({ code: "too-many-terminals" });
		const [first] = viewers;
		if (first !== undefined) terminals.leave(first);
		await open("one-more", createViewer());
		expect(terminals.has("t0")).toBe(false);
		expect(terminals.has("t1")).toBe(true);
	});

	test("[WS37] closing a terminal ends everything in it, also what ignores hangups in the background", async () => {
		const viewer = createViewer();
		await open("t1", viewer);
		terminals.input("t1", "(trap '' HUP; exec sleep 1000) & trap '' HUP; echo job-$!-ready; sleep 1000\r");
		await viewer.until("-ready\r\n");
		const job = Number(/job-(\d+)-ready/.exec(viewer.text())?.[1]);
		terminals.end("t1");
		await viewer.exited;
		await expect.poll(() => isRunning(job), { timeout: 10_000 }).toBe(false);
		expect(terminals.has("t1")).toBe(false);
	});

	test("[SE141] a process of another user in a terminal is reported, and saves nothing else from its end", async () => {
		const warnings: object[] = [];
		let untouchable = 0;
		const signal = (pid: number, name: "SIGHUP" | "SIGKILL") => {
			if (pid === untouchable) throw Object.assign(new Error("kill EPERM"), { code: "EPERM" });
			process.kill(pid, name);
		};
		const logger = { ...silentLogger, warn: (fields: object) => void warnings.push(fields) };
		const own = createTerminals({ clock: systemClock, logger, env: { PATH: process.env.PATH, HOME: home, SHELL: "/bin/bash" }, signal });
		const viewer = createViewer();
		await own.open({ terminalId: "t1", cwd: tmpdir, cols: 80, rows: 24 }, viewer);
		const job = "(trap '' HUP; exec sleep 1000) &";
		own.input("t1", `${job} A=$!; ${job} B=$!; ${job} trap '' HUP; echo jobs-$A-$B-$!-ready\r`);
		await viewer.until("-ready\r\n");
		const jobs = /jobs-(\d+)-(\d+)-(\d+)-ready/.exec(viewer.text())?.slice(1).map(Number) ?? [];
		untouchable = jobs[0] ?? 0;
		own.end("t1");
		await viewer.exited;
		await own.close();
		await expect.poll(() => jobs.map(isRunning), { timeout: 10_000 }).toEqual([true, false, false]);
		expect(warnings).toEqual([{ pids: [untouchable] }]);
		process.kill(untouchable, "SIGKILL");
	});

	test("[SE141] a terminal whose shell is another user's does not hold up the end of the server", async () => {
		const signal = () => {
			throw Object.assign(new Error("kill EPERM"), { code: "EPERM" });
		};
		const env = { PATH: process.env.PATH, HOME: home, SHELL: "/bin/bash" };
		const own = createTerminals({ clock: systemClock, logger: silentLogger, env, signal });
		const viewer = createViewer();
		await own.open({ terminalId: "t1", cwd: tmpdir, cols: 80, rows: 24 }, viewer);
		await own.close();
		expect(own.has("t1")).toBe(true);
		own.input("t1", "exit\r");
		await viewer.exited;
	});

	test("[SE142] with its conversation every terminal of it ends, and no other", async () => {
		const [ours, other] = [createViewer(), createViewer()];
		await terminals.open({ terminalId: "a", conversationId: "c1", cwd: tmpdir, cols: 80, rows: 24 }, ours);
		await terminals.open({ terminalId: "b", conversationId: "c2", cwd: tmpdir, cols: 80, rows: 24 }, other);
		terminals.endOf("c1");
		await ours.exited;
		expect([terminals.has("a"), terminals.has("b")]).toEqual([false, true]);
	});

	test("[WS39] a flood of output is bounded in memory and the terminal still answers", async () => {
		const viewer = createViewer();
		await open("t1", viewer);
		terminals.input("t1", "head -c 3000000 /dev/zero | tr '\\0' x; echo; echo end-$((1+1))\r");
		await viewer.until("end-2");
		expect(terminals.view("t1")?.scrollback.length).toBeLessThan(400_000);
	});
});

function isRunning(pid: number): boolean {
	try {
		return process.kill(pid, 0);
	} catch {
		return false;
	}
}

function createViewer() {
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
		until: (wanted: string) =>
			new Promise<void>((resolve) => {
				const check = () => {
					if (!text.includes(wanted)) return;
					waiting.delete(check);
					resolve();
				};
				waiting.add(check);
				check();
			}),
	};
}
