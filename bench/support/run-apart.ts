import { join } from "node:path";
import type { BenchmarkOptions } from "./benchmark.ts";
import { forkProgram, programOf } from "./fork-program.ts";
import { measuredSchema, type Results } from "./results.ts";

const QUICK_LIMIT_MS = 90_000;
const LONG_LIMIT_MS = 40 * 60_000;

export type Ran = Omit<Results["benchmarks"][number], "name">;

/** Runs one benchmark in a process of its own; undefined when it is left out. Never rejects. */
export function runApart(file: string, options: BenchmarkOptions): Promise<Ran | undefined> {
	const startedAt = performance.now();
	const child = forkProgram(join(import.meta.dirname, "run-one.ts"), [programOf(file), JSON.stringify(options)], {
		execArgv: ["--expose-gc", "--max-old-space-size=4096"],
		stdio: ["ignore", "inherit", "inherit", "ipc"],
		// A group of its own, so that servers it started end with it when it has to be ended.
		detached: true,
	});
	const killWithUs = () => {
		if (child.pid !== undefined) process.kill(-child.pid, "SIGKILL");
	};
	process.once("exit", killWithUs);
	let ran: Omit<Ran, "seconds"> | "left-out" = { rows: [], failure: "it ended without a result." };
	child.on("message", (message) => {
		ran = understand(message);
	});
	const limitMs = options.quick ? QUICK_LIMIT_MS : LONG_LIMIT_MS;
	const timer = setTimeout(() => {
		ran = { rows: [], failure: `it was not done after ${limitMs / 1000} s.` };
		killWithUs();
	}, limitMs);
	return new Promise((resolve) => {
		child.on("close", () => {
			clearTimeout(timer);
			process.off("exit", killWithUs);
			const seconds = Math.round((performance.now() - startedAt) / 100) / 10;
			resolve(ran === "left-out" ? undefined : { ...ran, seconds });
		});
	});
}

function understand(message: unknown): Omit<Ran, "seconds"> | "left-out" {
	if (message === "left-out") return message;
	if (typeof message === "object" && message !== null && "failure" in message) return { rows: [], failure: String(message.failure) };
	const parsed = measuredSchema.safeParse(message);
	return parsed.success ? parsed.data : { rows: [], failure: `its result is not of the right form: ${parsed.error.message}` };
}
