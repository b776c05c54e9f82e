import { readFileSync, statSync } from "node:fs";
import { afterAll, beforeAll, expect, test } from "vitest";
import { LIVE_FAST_CHARS, MAX_LIVE_CHARS } from "../../../packages/shell/src/output/live-feed.ts";
import { openShellBed, type ShellBed, watchThread } from "./shell-harness.ts";

let bed: ShellBed;
const secret = { GITHUB_TOKEN: "s3cret", RIGHTSEAT_PROVIDER_KEY: "s3cret", TELEGRAM_BOT_TOKEN: "s3cret", XDG_OURS: "s3cret" };
beforeAll(async () => {
	bed = await openShellBed({ env: { ...process.env, ...secret, SHELL: "/bin/true" }, secrets: ["XDG_OURS"] });
	await bed.out("true");
});
afterAll(() => bed.close());

test("[SH1] a Bash call returns stdout and stderr in the order they were written", async () => {
	expect(await bed.call("Bash", { command: 'echo "hello"' })).toMatchObject({
		ok: true,
		text: expect.stringMatching(/^hello\n\[exit code: 0, took \d+ ms\]$/),
	});
	const text = await bed.out("for i in $(seq 200); do echo a$i; echo b$i >&2; done");
	expect(text).toBe(Array.from({ length: 200 }, (_, i) => `a${i + 1}\nb${i + 1}`).join("\n"));
});

test("[SH1] a failure is a failure, with its output and code", async () => {
	expect(await bed.call("Bash", { command: "echo out; echo err >&2; exit 3" })).toMatchObject({
		ok: false,
		text: expect.stringMatching(/^out\nerr\n\[exit code: 3/),
	});
});

test("[SH28] colours and other control sequences never reach the model", async () => {
	expect(await bed.out(String.raw`printf '\e[31mred\e[0m \e]0;title\a\e]8;;http://x\e\\link\e]8;;\e\\ \e[?25lx\r\n'`)).toBe("red link x");
	expect(await bed.out(String.raw`for i in $(seq 0 100); do printf '\r%3d%%' $i; done; echo`)).toBe("100%");
	expect(await bed.out(String.raw`printf '\xe2'; sleep 0.1; printf '\x82'; sleep 0.1; printf '\xac\n'`)).toBe("€");
});

test("[SH33] more than 30,000 characters are cut in the middle; beginning, end, counts and a file remain", async () => {
	const { text } = await bed.call("Bash", { command: "seq 1 150000" });
	expect(text.length).toBeLessThanOrEqual(30_000);
	expect(text.length).toBeGreaterThan(28_000);
	expect(text.startsWith("1\n2\n3\n")).toBe(true);
	expect(text).toMatch(/149999\n150000\n\[exit code: 0, took [^\n]*\]$/);
	const file = /full output: (\S+) \.\.\./.exec(text)?.[1] ?? "";
	expect(readFileSync(file, "utf8").split("\n")).toHaveLength(150_001);
	expect(statSync(file).mode & 0o777).toBe(0o600);
	const wide = await bed.call("Bash", { command: "yes 中文字 | head -n 20000" });
	expect(wide.text.length).toBeLessThanOrEqual(30_000);
	expect((await bed.out("seq 1 5000")).split("\n")).toHaveLength(5_000);
});

test("[SH35] binary output is named, with its size and a file", async () => {
	const text = await bed.out("head -c 100000 /dev/urandom");
	const file = /^\[binary output, 100000 bytes; full output: (\S+)\]$/.exec(text)?.[1] ?? "";
	expect(statSync(file).size).toBe(100_000);
});

test("[SH36] 100 MB pass in bounded memory, with true totals and a capped file", async () => {
	const { ok, text } = await bed.call("Bash", { command: "yes 0123456789abcdef | head -c 100000000" });
	expect(ok).toBe(true);
	expect(text).toContain("the first 67108864 bytes: ");
	const omitted = Number(/about (\d+) characters/.exec(text)?.[1]);
	expect(omitted).toBeGreaterThan(99_970_000);
	const memory = await bed.out("grep VmHWM /proc/$PPID/status | tr -dc 0-9");
	expect(Number(memory)).toBeLessThan(200_000);
});

test("[SH136] live output comes in order; of a flood the first 256 KB, then pieces of at most 8 KB", async () => {
	const pieces: string[] = [];
	await bed.call(
		"Bash",
		{ command: "for i in 1 2 3; do echo $i; sleep 0.25; done; yes | head -c 2000000" },
		{ onOutput: (text) => pieces.push(text) },
	);
	expect(pieces.join("")).toMatch(/^1\n2\n3\n/);
	expect(pieces.length).toBeGreaterThanOrEqual(3);
	let shownChars = 0;
	for (const piece of pieces) {
		expect(piece.length).toBeLessThanOrEqual(Math.max(MAX_LIVE_CHARS, LIVE_FAST_CHARS - shownChars));
		shownChars += piece.length;
	}
});

test("[SH137] a flood in the background neither fills memory nor delays the server, and can be ended", async () => {
	const before = Number(await bed.out("grep VmRSS /proc/$PPID/status | tr -dc 0-9"));
	const { text } = await bed.call("Bash", { command: "yes", run_in_background: true });
	const bash_id = /bash_\d+/.exec(text)?.[0];
	const thread = watchThread();
	await expect.poll(async () => (await bed.call("BashOutput", { bash_id })).text).toContain("the first 67108864 bytes");
	const longestMs = thread.stop();
	const after = Number(await bed.out("grep VmRSS /proc/$PPID/status | tr -dc 0-9"));
	expect(after - before).toBeLessThan(80_000);
	expect(longestMs).toBeLessThan(500);
	expect(await bed.call("KillBash", { bash_id })).toMatchObject({ ok: true });
});

test("[SH37] a person's command gives all its output in order, live and at the end", async () => {
	const live: string[] = [];
	const result = await bed.exec("echo one; echo two >&2; sleep 0.3; echo three", { onOutput: (text) => live.push(text) });
	expect(result).toMatchObject({ exitCode: 0, output: "one\ntwo\nthree\n", truncated: false, cwd: bed.work, end: "exited" });
	expect(live.join("")).toBe(result.output);
	expect(result.durationMs).toBeGreaterThanOrEqual(300);
	const long = await bed.exec("seq 1 100000");
	expect([long.output.length, long.output.slice(0, 4), long.truncated]).toEqual([65_536, "1\n2\n", true]);
	expect(await bed.exec("true")).toMatchObject({ exitCode: 0, output: "" });
});

test("[SH40] no command sees our secrets, not even in the environment of its parent", async () => {
	expect(
		await bed.out("env; tr '\\0' '\\n' </proc/$PPID/environ; cat /proc/$PPID/cmdline /proc/self/cmdline | tr '\\0' ' '"),
	).not.toContain("s3cret");
	expect(await bed.out(`echo \${GITHUB_TOKEN-none} \${XDG_OURS-none} \${RIGHTSEAT_PROVIDER_KEY-none}`)).toBe("none none none");
});

test("[SH410] the shell process has bounds for its memory, in all and for what is young", async () => {
	const own = await bed.out("tr '\\0' ' ' </proc/$PPID/cmdline");
	expect(own).toMatch(/ --max-old-space-size=256 --max-semi-space-size=4 \S*shelld\S*/);
});

test("[SH50] results for the model are well-formed text without control characters, whatever is written", async () => {
	const { text } = await bed.call("Bash", {
		command: "head -c 3000 /dev/urandom | tr -d '\\0' | base64; printf '\\xed\\xa0\\x80 \\x1b[ \\x01\\x02 \\xf0\\x9f\\x98'",
	});
	expect(text.isWellFormed()).toBe(true);
	expect(text).not.toMatch(/[\x00-\x08\x0b-\x1f\x7f-\x9f]/);
});
