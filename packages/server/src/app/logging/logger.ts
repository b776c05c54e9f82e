import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { fieldOf } from "@rightseat/protocol/model/field";
import { pino } from "pino";
import type { Logger } from "../../core/kernel/logger.ts";
import type { Redactor } from "../../core/kernel/redact.ts";
import type { LogLevel } from "../config/config.ts";
import { openLogFile } from "./logger-file.ts";

const MAX_FILE_BYTES = 10 * 1024 * 1024;
const KEPT_FILES = 4;

export interface AppLogger extends Logger {
	/** The file that is written. */
	readonly file: string;
	close(): void;
}

export interface LoggerOptions {
	home: string;
	level: LogLevel;
	redactor: Pick<Redactor, "line">;
	/** Where warnings and errors are shown to the person who started us. */
	show(line: string): void;
	maxFileBytes?: number;
}

/** Everything goes to `logs/rightseat.log` in the home directory; warnings and worse also, in one plain line, to the terminal. */
export function createLogger(options: LoggerOptions): AppLogger {
	const folder = join(options.home, "logs");
	mkdirSync(folder, { recursive: true, mode: 0o700 });
	const path = join(folder, "rightseat.log");
	const file = openLogFile({ path, maxBytes: options.maxFileBytes ?? MAX_FILE_BYTES, keep: KEPT_FILES });
	let open = true;

	const write = (line: string) => {
		if (!open) return;
		const clean = options.redactor.line(line);
		file.write(clean);
		const shown = plainWarning(clean);
		if (shown !== undefined) options.show(shown);
	};
	const logger = pino({ level: options.level, base: undefined, timestamp: pino.stdTimeFunctions.isoTime, serializers }, { write });

	return {
		file: path,
		debug: (fields, message) => logger.debug(fields, message),
		info: (fields, message) => logger.info(fields, message),
		warn: (fields, message) => logger.warn(fields, message),
		error: (fields, message) => logger.error(fields, message),
		fatal: (fields, message) => logger.fatal(fields, message),
		close() {
			open = false;
			file.close();
		},
	};
}

const serializers = { err: pino.stdSerializers.errWithCause };

const LEVEL_NAMES: Readonly<Record<number, string>> = { 40: "warning", 50: "error", 60: "fatal" };

function plainWarning(line: string): string | undefined {
	const level = /^\{"level":(\d+)/.exec(line)?.[1];
	const name = level === undefined ? undefined : LEVEL_NAMES[Number(level)];
	if (name === undefined) return undefined;
	const entry: unknown = parseLine(line);
	const message = fieldOf(entry, "msg");
	const cause = fieldOf(fieldOf(entry, "err"), "message");
	const text = typeof message === "string" ? message : line.trim();
	return `${name}: ${text}${typeof cause === "string" && !text.includes(cause) ? ` (${cause})` : ""}`.replaceAll("\n", " ").slice(0, 1000);
}

/** A line that was cut is no longer JSON; it is shown as it is. */
function parseLine(line: string): unknown {
	try {
		return JSON.parse(line);
	} catch {
		return undefined;
	}
}
