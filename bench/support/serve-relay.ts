import type { Emission, Emitted, Ready } from "./relay-protocol.ts";

const QUIET_MS = 200;

export interface Play {
	emit(): Promise<number>;
	end(): void;
	/** Time that the main thread has spent in the store so far. */
	storageMs?(): number;
}

/** The relay's side of the talk: says where it listens, then plays what it is asked to, and ends with its parent. */
export function serveRelay(ready: Omit<Ready, "rssMb">, prepare: (emission: Emission) => Promise<Play>): void {
	const play = async (emission: Emission): Promise<Emitted> => {
		const prepared = await prepare(emission);
		await quiet();
		const before = process.cpuUsage();
		const storedBefore = prepared.storageMs?.() ?? 0;
		const tokens = await prepared.emit();
		await quiet();
		const { user, system } = process.cpuUsage(before);
		const storageMs = (prepared.storageMs?.() ?? 0) - storedBefore;
		const emitted = { tokens, cpuMs: (user + system) / 1_000, rssMb: rssMb(), storageMs };
		prepared.end();
		await quiet();
		return emitted;
	};
	process.on("message", (emission: Emission) => {
		play(emission).then(
			(emitted) => process.send?.(emitted),
			(error: unknown) => {
				console.error(error);
				process.exit(1);
			},
		);
	});
	process.on("disconnect", () => process.exit());
	process.send?.({ ...ready, rssMb: rssMb() });
}

const rssMb = () => process.memoryUsage.rss() / 2 ** 20;

/** What is under way when a measurement begins or ends must not be counted with the wrong one. */
const quiet = () => new Promise((resolve) => setTimeout(resolve, QUIET_MS));
