import { EventEmitter } from "node:events";
import { expect, test } from "vitest";
import { AppError } from "../core/kernel/errors.ts";
import { silentLogger } from "../core/kernel/logger.ts";
import { DUPLICATE_SIGNAL_MS, installShutdown } from "./shutdown.ts";

/** Stands among the exit codes where what must not go on was ended first. */
const ABANDONED = -1;

function install(close: () => Promise<void>, limitMs?: number) {
	let time = 0;
	const signals = new EventEmitter();
	const codes: number[] = [];
	const exited = new Promise<void>((resolve) => {
		const exit = (code: number) => {
			codes.push(code);
			resolve();
		};
		const abandon = () => void codes.push(ABANDONED);
		installShutdown({ close, exit, abandon, signals, limitMs, logger: silentLogger, now: () => time });
	});
	const later = (ms: number) => {
		time += ms;
	};
	return { signals, codes, exited, later };
}
const never = () => new Promise<void>(() => undefined);

test.each(["SIGTERM", "SIGINT", "SIGHUP"])("[CF15] %s closes everything and exits 0", async (signal) => {
	let closed = 0;
	const { signals, codes, exited } = install(async () => {
		closed += 1;
	});
	signals.emit(signal);
	await exited;
	expect({ closed, codes }).toEqual({ closed: 1, codes: [0] });
});

test("[CF30] a write that the disk refused and nobody waited for does not end the server; any other error does", async () => {
	const { signals, codes, exited } = install(async () => undefined);
	signals.emit("unhandledRejection", new AppError("storage-read-only", "The disk is full."));
	expect(codes).toEqual([]);
	signals.emit("unhandledRejection", new Error("unexpected"));
	await exited;
	expect(codes).toEqual([1]);
});

test("[CF16] a second signal ends at once, after what must not go on", async () => {
	const { signals, codes, exited, later } = install(never);
	signals.emit("SIGINT");
	later(DUPLICATE_SIGNAL_MS);
	signals.emit("SIGINT");
	await exited;
	expect(codes).toEqual([ABANDONED, 1]);
});

test("[CF230] Ctrl+C that arrives twice, from the terminal and from npm, counts once", async () => {
	let finish: () => void = () => undefined;
	const { signals, codes, exited, later } = install(() => new Promise<void>((resolve) => (finish = resolve)));
	signals.emit("SIGINT");
	later(30);
	signals.emit("SIGINT");
	finish();
	await exited;
	expect(codes).toEqual([0]);
});

test("[CF231] a close that hangs or fails ends with 1", async () => {
	const hanging = install(never, 5);
	hanging.signals.emit("SIGTERM");
	await hanging.exited;
	const failing = install(() => Promise.reject(new Error("no")));
	failing.signals.emit("SIGTERM");
	await failing.exited;
	expect([hanging.codes, failing.codes]).toEqual([[ABANDONED, 1], [1]]);
});

test.each(["uncaughtException", "unhandledRejection"])("[CF17] after %s everything is closed and the exit code is 1", async (event) => {
	let closed = false;
	const { signals, codes, exited } = install(async () => {
		closed = true;
	});
	signals.emit(event, new Error("bug"));
	await exited;
	expect({ closed, codes }).toEqual({ closed: true, codes: [1] });
});
