import { describe, expect, test } from "vitest";
import { silentLogger } from "../../../core/kernel/logger.ts";
import { createScrollback } from "./scrollback.ts";
import type { Viewer } from "./terminal.ts";
import { terminalEnv } from "./terminal-env.ts";
import { createViewer, terminalAt, useTerminals } from "./terminal-harness.ts";
import { MAX_TERMINALS } from "./terminals.ts";

test("[WS39] scrollback keeps the newest output, from a whole line on", () => {
	const scrollback = createScrollback(100);
	for (let i = 0; i < 1_000; i += 1) scrollback.add(`line ${i}\n`);
	const text = scrollback.text();
	expect(text.length).toBeLessThanOrEqual(125);
	expect(text.startsWith("line ")).toBe(true);
	expect(text.endsWith("line 999\n")).toBe(true);
});

test("[WS228] a terminal's environment has only names from the list", () => {
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
	const bed = useTerminals();
	const open = (terminalId: string, viewer: Viewer) => bed.terminals().open(terminalAt(terminalId), viewer);

	test("[WS37] what is typed runs, what it shows comes back, and its end is told", async () => {
		const viewer = createViewer();
		await open("t1", viewer);
		bed.terminals().input("t1", "echo $((40+2))-here; stty size; exit 3\r");
		expect(await viewer.exited).toBe(3);
		expect(viewer.text()).toMatch(/42-here\s+24 80/);
		expect(() => bed.terminals().input("t1", "x")).toThrow("ended");
	});

	test("[WS38] a terminal lives on when nobody looks, and shows all of it to whoever comes back", async () => {
		const first = createViewer();
		await open("t1", first);
		bed.terminals().input("t1", "echo before-$((1+1))\r");
		await first.until(/before-2/);
		bed.terminals().leave(first);
		bed.terminals().input("t1", "echo while-$((1+2))-away\r");
		const second = createViewer();
		let view = await open("t1", second);
		while (!view.scrollback.includes("while-3-away")) {
			await second.until(/while-3-away/);
			view = await open("t1", second);
		}
		expect(view.scrollback).toContain("before-2");
		expect(first.text()).not.toContain("while-3-away");
	});

	test("[WS226] several viewers see the same, and nobody sees a line twice", async () => {
		const [a, b] = [createViewer(), createViewer()];
		await open("t1", a);
		bed.terminals().input("t1", "echo one-$((1+1))\r");
		await a.until(/one-2/);
		const view = await open("t1", b);
		bed.terminals().input("t1", "echo two-$((1+1))\r");
		await Promise.all([a.until(/two-2/), b.until(/two-2/)]);
		expect(`${view.scrollback}${b.text()}`.match(/one-2/g)).toHaveLength(1);
	});

	test("[WS227] when all places are taken the longest unwatched terminal gives way, a watched one never", async () => {
		const viewers = Array.from({ length: MAX_TERMINALS }, createViewer);
		for (const [index, viewer] of viewers.entries()) await open(`t${index}`, viewer);
		await expect(open("one-more", createViewer())).rejects.toMatchObject({ code: "too-many-terminals" });
		const [first] = viewers;
		if (first !== undefined) bed.terminals().leave(first);
		await open("one-more", createViewer());
		expect(bed.terminals().has("t0")).toBe(false);
		expect(bed.terminals().has("t1")).toBe(true);
	});

	test("[WS225] closing a terminal ends everything in it, also what ignores hangups in the background", async () => {
		const viewer = createViewer();
		await open("t1", viewer);
		bed.terminals().input("t1", "(trap '' HUP; exec sleep 1000) & trap '' HUP; echo job-$!-ready; sleep 1000\r");
		const [, job] = (await viewer.until(/job-(\d+)-ready/)).map(Number);
		bed.terminals().end("t1");
		await viewer.exited;
		await expect.poll(() => isRunning(job ?? 0), { timeout: 10_000 }).toBe(false);
		expect(bed.terminals().has("t1")).toBe(false);
	});

	test("[SE141] a process of another user in a terminal is reported, and saves nothing else from its end", async () => {
		const warnings: object[] = [];
		let untouchable = 0;
		const signal = (pid: number, name: "SIGHUP" | "SIGKILL") => {
			if (pid === untouchable) throw Object.assign(new Error("kill EPERM"), { code: "EPERM" });
			process.kill(pid, name);
		};
		const logger = { ...silentLogger, warn: (fields: object) => void warnings.push(fields) };
		const own = bed.create({ logger, signal });
		const viewer = createViewer();
		await own.open(terminalAt("t1"), viewer);
		const job = "(trap '' HUP; exec sleep 1000) &";
		own.input("t1", `${job} A=$!; ${job} B=$!; ${job} trap '' HUP; echo jobs-$A-$B-$!-ready\r`);
		const jobs = (await viewer.until(/jobs-(\d+)-(\d+)-(\d+)-ready/)).slice(1).map(Number);
		untouchable = jobs[0] ?? 0;
		own.end("t1");
		await viewer.exited;
		await own.close();
		await expect.poll(() => jobs.map(isRunning), { timeout: 10_000 }).toEqual([true, false, false]);
		expect(warnings).toEqual([{ pids: [untouchable] }]);
		process.kill(untouchable, "SIGKILL");
	});

	test("[SE244] a terminal whose shell is another user's does not hold up the end of the server", async () => {
		const signal = () => {
			throw Object.assign(new Error("kill EPERM"), { code: "EPERM" });
		};
		const own = bed.create({ signal });
		const viewer = createViewer();
		await own.open(terminalAt("t1"), viewer);
		await own.close();
		expect(own.has("t1")).toBe(true);
		own.input("t1", "exit\r");
		await viewer.exited;
	});

	test("[SE142] with its conversation every terminal of it ends, and no other", async () => {
		const [ours, other] = [createViewer(), createViewer()];
		await bed.terminals().open(terminalAt("a", { conversationId: "c1" }), ours);
		await bed.terminals().open(terminalAt("b", { conversationId: "c2" }), other);
		bed.terminals().endOf("c1");
		await ours.exited;
		expect([bed.terminals().has("a"), bed.terminals().has("b")]).toEqual([false, true]);
	});

	test("[WS39] a flood of output is bounded in memory and the terminal still answers", async () => {
		const viewer = createViewer();
		await open("t1", viewer);
		bed.terminals().input("t1", "head -c 3000000 /dev/zero | tr '\\0' x; echo; echo end-$((1+1))\r");
		await viewer.until(/end-2/);
		expect(bed.terminals().view("t1")?.scrollback.length).toBeLessThan(400_000);
	});
});

function isRunning(pid: number): boolean {
	try {
		return process.kill(pid, 0);
	} catch {
		return false;
	}
}
