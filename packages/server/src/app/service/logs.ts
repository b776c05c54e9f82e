import { statSync } from "node:fs";
import { open } from "node:fs/promises";
import { setTimeout as sleep } from "node:timers/promises";
import { parseArgs } from "node:util";
import { CliError, EXIT } from "@rightseat/cli/cli-error";
import { safeLine } from "@rightseat/cli/terminal/safe-text";
import { fieldOf } from "@rightseat/protocol/model/field";
import { MAX_TAIL_BYTES, readLastLines } from "./last-output.ts";
import type { ServiceDeps } from "./service-deps.ts";

const DEFAULT_LINES = 100;
const MAX_LINES = 100_000;
const LOOK_EVERY_MS = 300;

/** `service logs`: the last lines of the server's log, and with `-f` what comes, over its rotation. Ends by a signal then. */
export async function showLogs(args: readonly string[], deps: ServiceDeps): Promise<number> {
	const { cli, words, place } = deps;
	const options = { follow: { type: "boolean", short: "f" }, lines: { type: "string", short: "n" }, json: { type: "boolean" } } as const;
	const { values } = parseArgs({ args: [...args], options, strict: true });
	const count = Number(values.lines ?? DEFAULT_LINES);
	if (!Number.isInteger(count) || count < 1 || count > MAX_LINES) throw new CliError(words.badCount);
	const print = (line: string) => cli.print(values.json === true ? line : readable(line));
	const last = readLastLines(place.logFile, count);
	if (last === undefined && values.follow !== true) throw new CliError(words.noLog(place.logFile), EXIT.failed);
	for (const line of last?.lines ?? []) print(line);
	if (values.follow === true) await follow(place.logFile, last?.end ?? 0, print);
	return EXIT.done;
}

/** Never ends. A log that is renamed away is read to its end first. */
async function follow(path: string, from: number, print: (line: string) => void): Promise<void> {
	for (let at = from; ; at = 0) {
		const file = await open(path, "r").catch(() => undefined);
		if (file === undefined) {
			await sleep(LOOK_EVERY_MS);
			continue;
		}
		const { ino } = await file.stat();
		const decoder = new TextDecoder();
		const buffer = Buffer.alloc(65_536);
		let rest = "";
		for (let isOld = false; ; ) {
			const { bytesRead } = await file.read(buffer, 0, buffer.length, at);
			at += bytesRead;
			const lines = (rest + decoder.decode(buffer.subarray(0, bytesRead), { stream: true })).split("\n");
			rest = (lines.pop() ?? "").slice(0, MAX_TAIL_BYTES);
			for (const line of lines) print(line);
			if (bytesRead > 0) continue;
			if (isOld) break;
			isOld = statSync(path, { throwIfNoEntry: false })?.ino !== ino;
			if (!isOld) await sleep(LOOK_EVERY_MS);
		}
		await file.close();
	}
}

const LEVELS: Readonly<Record<string, string>> = { 10: "trace", 20: "debug", 30: "info", 40: "warning", 50: "error", 60: "fatal" };

/** A line of the log for people: when, how bad, what. */
function readable(line: string): string {
	let entry: unknown;
	try {
		entry = JSON.parse(line);
	} catch {
		// Cut, or written by somebody else: as it is.
		return safeLine(line);
	}
	const { level, time, msg, err, ...fields } = asFields(entry);
	const cause = fieldOf(err, "message");
	const more = Object.keys(fields).length === 0 ? "" : ` ${JSON.stringify(fields)}`;
	return safeLine(
		`${String(time)} ${(LEVELS[String(level)] ?? String(level)).padEnd(7)} ${String(msg)}${typeof cause === "string" ? ` (${cause})` : ""}${more}`,
	);
}

const asFields = (entry: unknown): Record<string, unknown> =>
	typeof entry === "object" && entry !== null ? Object.fromEntries(Object.entries(entry)) : { msg: entry };
