import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { forkProgram } from "./fork-program.ts";

/** What is done with a token that the SDK says: its age is noted, it is sent by a bare `ws`, or it is committed, synced and then sent. */
export type SdkWay = "alone" | "relay" | "durable";

export interface SdkPlay {
	way: SdkWay;
	streams: number;
}

export interface SdkPlayed {
	/** Of every token, where the SDK is alone. */
	ages: number[];
	/** CPU time of the process, all threads, without the runtime that it started. */
	cpuMs: number;
}

export interface SdkReady {
	url: string;
}

/** The agent SDK and its runtime in a process of their own. */
export interface SdkRelay extends SdkReady {
	/** One answer on each of so many streams, whose readers name them `<way>-<number>`. */
	play(play: SdkPlay): Promise<SdkPlayed>;
	close(): Promise<void>;
}

export async function startSdkRelay(directory: string, modelUrl: string, streams: number): Promise<SdkRelay> {
	const home = join(directory, "bare-sdk");
	mkdirSync(home, { recursive: true, mode: 0o700 });
	const child = forkProgram(join(import.meta.dirname, "relay-sdk.ts"), [home, modelUrl, String(streams)]);
	const exited = new Promise<void>((resolve) => child.once("exit", () => resolve()));
	const answer = <T>() =>
		new Promise<T>((resolve, reject) => {
			const fail = () => reject(new Error("The bare SDK ended."));
			child.once("exit", fail);
			child.once("message", (message: T & object) => {
				child.off("exit", fail);
				resolve(message);
			});
		});
	const { url } = await answer<SdkReady>();
	return {
		url,
		play(play) {
			const played = answer<SdkPlayed>();
			child.send(play);
			return played;
		},
		async close() {
			child.disconnect();
			await exited;
		},
	};
}
