import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { forkProgram } from "./fork-program.ts";
import type { Emission, Emitted, Ready } from "./relay-protocol.ts";

/** A relay in a process of its own. */
export interface Relay extends Ready {
	play(emission: Emission): Promise<Emitted>;
	close(): Promise<void>;
}

export type RelayKind = "ours" | "bare" | "durable" | "pipe" | "pipe-durable";
const PROGRAMS: Readonly<Record<RelayKind, string>> = {
	ours: "relay-ours.ts",
	bare: "relay-bare.ts",
	durable: "relay-bare.ts",
	pipe: "relay-pipe.ts",
	"pipe-durable": "relay-pipe.ts",
};

export async function startRelay(kind: RelayKind, directory: string, streams: number, env: Record<string, string> = {}): Promise<Relay> {
	const home = join(directory, `${kind}-${streams}`);
	mkdirSync(home, { recursive: true, mode: 0o700 });
	const child = forkProgram(join(import.meta.dirname, PROGRAMS[kind]), [home, String(streams), kind], {
		env: { ...process.env, ...env },
	});
	const exited = new Promise<void>((resolve) => child.once("exit", () => resolve()));
	const answer = <T>() =>
		new Promise<T>((resolve, reject) => {
			const fail = () => reject(new Error(`The relay "${kind}" ended.`));
			child.once("exit", fail);
			child.once("message", (message: T & object) => {
				child.off("exit", fail);
				resolve(message);
			});
		});
	const ready = await answer<Ready>();
	return {
		...ready,
		play(emission) {
			const emitted = answer<Emitted>();
			child.send(emission);
			return emitted;
		},
		async close() {
			child.disconnect();
			await exited;
		},
	};
}
