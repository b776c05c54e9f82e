import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmdirSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { createRedactor } from "../../core/kernel/redact.ts";
import { createLogger } from "./logger.ts";
import { MAX_LINE_BYTES, openLogFile } from "./logger-file.ts";

let home: string;
const shown: string[] = [];
beforeEach(() => {
	home = mkdtempSync(join(tmpdir(), "rightseat-log-"));
	shown.length = 0;
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

const open = (secrets: string[] = [], maxFileBytes?: number) =>
	createLogger({ home, level: "debug", redactor: createRedactor(secrets), show: (line) => shown.push(line), maxFileBytes });
const written = () => readFileSync(join(home, "logs", "rightseat.log"), "utf8");

test("[CF12] everything goes to the log file, which is private; warnings and worse also to the terminal, in one line", () => {
	const logger = open();
	logger.info({ port: 1 }, "Quiet");
	logger.warn({ err: new Error("because\nof this") }, "Look here");
	logger.close();
	expect(
		written()
			.trim()
			.split("\n")
			.map((line) => JSON.parse(line).msg),
	).toEqual(["Quiet", "Look here"]);
	expect(shown).toEqual(["warning: Look here (because of this)"]);
	expect(statSync(join(home, "logs", "rightseat.log")).mode & 0o777).toBe(0o600);
	expect(statSync(join(home, "logs")).mode & 0o777).toBe(0o700);
});

test("[CF13] given secrets never reach the log or the terminal, also inside errors, escaped or in an address", () => {
	const secret = 'pass"word/1234';
	const redactor = createRedactor([secret]);
	const logger = createLogger({ home, level: "debug", redactor, show: (line) => shown.push(line) });
	redactor.hide("later-secret-value");
	logger.error(
		{ err: new Error(`refused ${secret}`), url: `http://x/?q=${encodeURIComponent(secret)}`, more: "later-secret-value" },
		`with ${secret}`,
	);
	logger.close();
	for (const text of [written(), ...shown]) {
		expect(text).not.toContain("word/1234");
		expect(text).not.toContain("word%2F1234");
		expect(text).not.toContain("later-secret-value");
	}
});

test.each([
	"ghp_abcdefghijklmnopqrstuvwxyz0123456789",
	"github_pat_11ABCDEFG0abcdefghijkl_mnopqrstuvwxyz",
	"123456789:AAHdqTcvCH1vGWJxfSeofSAs0K5PALDsaw0",
])("[CF228] what looks like a token is hidden without being told: %s", (token) => {
	const logger = open();
	logger.info({ header: `Bearer ${token}`, at: `https://api.example/bot${token}/getMe` }, `token ${token}`);
	logger.close();
	expect(written()).not.toContain(token);
});

test("[CF228] keys of model providers are hidden, ordinary words with dashes are not", () => {
	const logger = open();
	logger.info({ key: "sk-proj-abcdefghijklmnop1234" }, "task-management-with-a-long-name");
	logger.close();
	expect(written()).not.toContain("abcdefghijklmnop1234");
	expect(written()).toContain("task-management-with-a-long-name");
});

test("[CF228] login codes in links are hidden", () => {
	const logger = open();
	logger.info({ url: "http://127.0.0.1:7417/#code=abc123xyz" }, "Link");
	logger.close();
	expect(written()).not.toContain("abc123xyz");
});

test("[CF14] the log is bounded: a full file is put aside, the oldest goes, a long line is cut", () => {
	const path = join(home, "bounded.log");
	const file = openLogFile({ path, maxBytes: 1000, keep: 2 });
	for (let index = 0; index < 100; index += 1) file.write(`${String(index).padStart(99, "x")}\n`);
	expect([path, `${path}.1`, `${path}.2`].map((name) => statSync(name).size)).toEqual([1000, 1000, 1000]);
	expect(existsSync(`${path}.3`)).toBe(false);
	expect(readFileSync(path, "utf8").trim().endsWith("99")).toBe(true);
	file.write("y".repeat(MAX_LINE_BYTES * 2));
	file.close();
	expect(statSync(path).size).toBeLessThanOrEqual(MAX_LINE_BYTES);
});

test("[CF29] a log that the disk does not take does not fail, and tells later how much is missing", () => {
	const full = openLogFile({ path: "/dev/full", maxBytes: 1000, keep: 2 });
	expect(() => full.write("no space\n")).not.toThrow();
	full.close();

	const path = join(home, "blocked.log");
	const file = openLogFile({ path, maxBytes: 20, keep: 1 });
	file.write("the first line\n");
	mkdirSync(`${path}.1`);
	for (const line of ["second\n", "third\n"]) file.write(line);
	rmdirSync(`${path}.1`);
	file.write("the last line\n");
	file.close();
	expect(readFileSync(`${path}.1`, "utf8") + readFileSync(path, "utf8")).toMatch(/did not take 2 lines.*the last line/s);
});

test("[CF229] a log that was closed takes no more, without failing", () => {
	const logger = open();
	logger.close();
	logger.error({}, "too late");
	expect(written()).toBe("");
});
