import { mkdtempSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { LIVE_FAST_CHARS, MAX_LIVE_CHARS } from "./live-feed.ts";
import { createOutput, EXACT_BYTES, HEAD_CHARS, type Output } from "./output.ts";
import { createOutputFile } from "./output-file.ts";
import { createOutputFiles } from "./output-files.ts";
import { readJobOutput } from "./read-job-output.ts";
import { SAVE_AFTER_BYTES } from "./saved-output.ts";
import { MAX_LINE_CHARS } from "./terminal-line.ts";

let home: string;
beforeEach(() => {
	home = mkdtempSync(join(tmpdir(), "rightseat-output-"));
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

const quota = { fileBytes: 100_000, conversationBytes: 250_000, serverBytes: 400_000, keepMs: 1_000_000 };
const files = () => createOutputFiles(home, (conversation) => join(home, conversation), quota);
const outputWithFile = () => createOutput(() => files().open("c", "1"));

test("[SH34] short output needs no file; long output is whole in a private one, up to its cap", () => {
	const output = outputWithFile();
	output.push(Buffer.from("x".repeat(SAVE_AFTER_BYTES)));
	expect(output.hint()).toBe("");
	output.push(Buffer.from("y".repeat(10)));
	const path = output.hint().split(": ")[1] ?? "";
	expect(readFileSync(path, "utf8")).toBe(`${"x".repeat(SAVE_AFTER_BYTES)}yyyyyyyyyy`);
	expect(statSync(path).mode & 0o777).toBe(0o600);
	output.push(Buffer.alloc(200_000, "z"));
	output.end();
	expect(statSync(path).size).toBe(quota.fileBytes);
	expect(output.hint()).toContain(`the first ${quota.fileBytes} bytes`);
	expect(output.totalBytes).toBe(SAVE_AFTER_BYTES + 200_010);
});

test("[SH34] a full disk ends the file, not the command", () => {
	const full = () => {
		throw Object.assign(new Error("no space left on device"), { code: "ENOSPC" });
	};
	const output = createOutput(() => createOutputFile(join(home, "f"), { allowance: () => 1_000_000, used: () => undefined }, full));
	output.push(Buffer.from("a\n".repeat(30_000)));
	output.end();
	expect(output.view(1_000)).toContain("it could not be saved to a file");
	expect(output.view(1_000).endsWith("a\na\n")).toBe(true);
});

test("[SH35] binary output is named, counted and saved, not shown", () => {
	const output = outputWithFile();
	output.push(Buffer.from([0x7f, 0x45, 0x4c, 0x46, 0, 1, 2]));
	output.end();
	expect(output.view(1_000)).toMatch(/^\[binary output, 7 bytes; full output: .*\.log\]$/);
	expect(output.head(1_000).text).toContain("binary output, 7 bytes");
	expect(output.takeLive(1_000)).toBe("");
	const noise = outputWithFile();
	noise.push(Buffer.from(Array.from({ length: 4_000 }, (_, i) => 128 + ((i * 7) % 120))));
	expect(noise.view(1_000)).toContain("binary output");
});

test("[SH35] binary is what is mostly not text; a few odd bytes are shown by their number, with the text around them", () => {
	const output = outputWithFile();
	output.push(Buffer.from("hello\0world\n"));
	expect(output.view(1_000)).toBe("hello\\x00world\n");
	expect(output.takeLive(0)).toBe("hello\\x00world\n");
	output.push(Buffer.from([0x01, 0x7f, 0x07, 0xff, 0x0a]));
	output.end();
	expect(output.view(1_000)).toBe("hello\\x00world\n\\x01\\x7f\ufffd\n");
	const list = outputWithFile();
	list.push(Buffer.from("src/a.ts\0src/b.ts\0"));
	expect(list.head(1_000).text).toBe("src/a.ts\\x00src/b.ts\\x00");
	const program = outputWithFile();
	program.push(readFileSync(process.execPath).subarray(0, 200_000));
	expect(program.view(1_000)).toContain("binary output, 200000 bytes");
});

test("[SH35] what only begins like binary is shown once it is text", () => {
	const output = outputWithFile();
	output.push(Buffer.from([0, 1, 2, 3]));
	expect(output.takeLive(0)).toBe("");
	output.push(Buffer.from(" and then a long line of text\n"));
	expect(output.takeLive(100)).toBe("\\x00\\x01\\x02\\x03 and then a long line of text\n");
});

test("[SH106] no cut splits a character of two units: beginning, end, live and job tail", () => {
	const output = outputWithFile();
	output.push(Buffer.from(`x${"😀".repeat(60_000)}`));
	for (const text of [output.head(100).text, output.tail(100), output.view(2_000), output.takeLive(0)])
		expect(text).not.toContain("\ufffd");
	output.push(Buffer.from("😀".repeat(300_000)));
	expect(output.takeLive(100)).not.toContain("\ufffd");
	expect(output.head(100).text).toHaveLength(99);
	const { text } = output.head(HEAD_CHARS);
	expect([text.length, text.includes("\ufffd")]).toEqual([HEAD_CHARS - 1, false]);
	output.end();
	output.compact();
	for (const half of [output.held().begin, output.held().end]) expect(half.isWellFormed()).toBe(true);
});

test("[SH35] text in another encoding is still text", () => {
	const output = outputWithFile();
	output.push(Buffer.from("caf\xe9 au lait, s'il vous pla\xeet, un peu plus de texte\n", "latin1"));
	expect(output.view(1_000)).toContain("caf\ufffd au lait");
});

test("[SH37] the head is the beginning, at most 64 KB, and says when there is more", () => {
	const output = outputWithFile();
	output.push(Buffer.from("12345\n"));
	expect(output.head(HEAD_CHARS)).toEqual({ text: "12345\n", truncated: false });
	output.push(Buffer.alloc(500_000, "x"));
	const { text, truncated } = output.head(HEAD_CHARS);
	expect([text.length, text.slice(0, 8), truncated]).toEqual([HEAD_CHARS, "12345\nxx", true]);
});

const takeNew = async (output: Output, filter?: string) => (await readJobOutput(output, { filter, newOnly: true, limit: 3_000 })).text;

test("[SH20] new output is given once, also of a line that is not finished", async () => {
	const output = outputWithFile();
	output.push(Buffer.from("one\ntw"));
	expect(await takeNew(output)).toBe("one\ntw");
	expect(await takeNew(output)).toBe("");
	output.push(Buffer.from("o and"));
	expect(await takeNew(output)).toBe("o and");
	output.push(Buffer.from(" a half\nthree"));
	expect(await takeNew(output)).toBe(" a half\nthree");
	output.end();
	expect(await takeNew(output)).toBe("");
	expect(output.view(1_000)).toBe("one\ntwo and a half\nthree");
});

test("[SH20] a progress line that is rewritten is new text, and each state of it comes once", async () => {
	const output = outputWithFile();
	const seen: string[] = [];
	for (const frame of ["10%", "", "\r20%", "", "\r30%\n", ""]) {
		output.push(Buffer.from(frame));
		seen.push(await takeNew(output));
	}
	expect(seen).toEqual(["10%", "", "20%", "", "30%\n", ""]);
	output.push(Buffer.from("x".repeat(MAX_LINE_CHARS - 1)));
	expect((await takeNew(output)).length).toBeGreaterThan(1_000);
	output.push(Buffer.from("yz"));
	expect(await takeNew(output)).toBe("yz");
});

test("[SH20] with a filter new lines are given once, when they are finished, whether they match or not", async () => {
	const output = outputWithFile();
	output.push(Buffer.from("error 1\ninfo 1\nerror 2 is not fin"));
	expect(await takeNew(output, "[")).toContain("not a valid regular expression");
	expect(await Promise.all([takeNew(output, "^error"), takeNew(output, "^error")])).toEqual(["error 1\n", ""]);
	output.push(Buffer.from("ished\ninfo 2\nerr"));
	expect(await takeNew(output, "^error")).toBe("error 2 is not finished\n");
	expect(await takeNew(output, "^info")).toBe("");
	expect(await takeNew(output)).toBe("err");
	output.push(Buffer.from("or 3\n"));
	expect(await takeNew(output, "or")).toBe("or 3\n");
	expect((await readJobOutput(output, { filter: "^error", newOnly: false, limit: 1_000 })).text).toBe(
		"error 1\nerror 2 is not finished\nerror 3\n",
	);
});

test("[SH20] binary output is named again only when there is more of it", async () => {
	const output = outputWithFile();
	output.push(Buffer.alloc(9_000));
	expect(await takeNew(output)).toContain("binary output, 9000 bytes");
	expect(await takeNew(output)).toBe("");
	output.push(Buffer.alloc(1_000));
	expect(await takeNew(output)).toContain("binary output, 10000 bytes");
});

test("[SH136] the beginning is shown whole, however fast it comes; a flood is cut, and what is not shown is counted", () => {
	const output = outputWithFile();
	const beginning = "line\n".repeat(20_000);
	output.push(Buffer.from(beginning));
	expect(output.takeLive(0)).toBe(beginning);
	const flood = "more\n".repeat(200_000);
	output.push(Buffer.from(flood));
	const text = output.takeLive(100);
	expect(text.length).toBeLessThanOrEqual(MAX_LIVE_CHARS);
	const [, first = "", skipped, last = ""] = /^([^.]*)\.\.\. (\d+) characters not shown live \.\.\.\n(.*)$/s.exec(text) ?? [];
	expect(Number(skipped) + first.length + last.length).toBe(flood.length);
	expect(output.takeLive(200)).toBe("");
});

test("[SH136] after a lot of output a watcher gets one piece a second", () => {
	const output = outputWithFile();
	let now = 0;
	let shown = 0;
	while (shown <= LIVE_FAST_CHARS) {
		output.push(Buffer.from("line\n".repeat(1_400)));
		now += 100;
		shown += output.takeLive(now).length;
	}
	output.push(Buffer.from("more\n"));
	expect(output.takeLive(now + 100)).toBe("");
	expect(output.takeLive(now + 1_000)).toBe("more\n");
});

test("[SH136] a rewritten line is shown live about once a second, below its older state", () => {
	const output = outputWithFile();
	const feed = (text: string, now: number) => {
		output.push(Buffer.from(text));
		return output.takeLive(now);
	};
	expect(feed("10%", 0)).toBe("10%");
	expect(feed(" ok", 100)).toBe(" ok");
	expect(feed("\r20% ok\r30% ok", 200)).toBe("");
	expect(feed("\r40% ok", 1_200)).toBe("\n40% ok");
	expect(feed("\rdone  \n", 1_300)).toBe("\ndone  \n");
});

test("[SH36] of a flood only the newest bytes are looked at; beginning, end, totals and file are right", async () => {
	const output = outputWithFile();
	const block = Buffer.from("\x1b[32m中文\x1b[0m line\n".repeat(3_000));
	output.push(Buffer.from("first\n"));
	while (output.totalBytes < EXACT_BYTES + 2_000_000) output.push(block);
	const live = output.takeLive(0);
	expect(live).toMatch(/^first\n中文 line\n.*中文 line\n\.\.\. \d+ characters not shown live \.\.\.\n/s);
	expect(live.length).toBeLessThanOrEqual(MAX_LIVE_CHARS);
	for (let i = 0; i < 50; i++) output.push(block);
	output.push(Buffer.from("last"));
	const text = output.view(5_000);
	expect(text).toMatch(
		/^first\n中文 line\n.*\n\.\.\. about \d+ characters left out here; the first 100000 bytes: .* \.\.\.\n中文 line\n.*中文 line\nlast$/s,
	);
	output.push(block);
	output.end();
	expect(output.view(5_000).endsWith("中文 line\n中文 line\n")).toBe(true);
	expect(output.tail(15)).toBe("文 line\n中文 line\n");
	expect(await takeNew(output)).toContain("characters left out here");
	expect(await takeNew(output)).toBe("");
});

test("[SH36] a flood without line ends is taken up at the next whole character", () => {
	const output = outputWithFile();
	const block = Buffer.from("中".repeat(30_001));
	for (let i = 0; output.totalBytes < EXACT_BYTES + 3_000_000; i++) output.push(block.subarray(i % 3 === 0 ? 0 : 3));
	const text = output.view(5_000);
	expect(text).not.toContain("\ufffd");
	expect(text.endsWith("中中中")).toBe(true);
});
