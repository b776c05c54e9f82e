import { once } from "node:events";
import { join } from "node:path";
import { forkProgram } from "./fork-program.ts";

/** What the model says to every request: stamped tokens, or a text in pieces. */
export type Script = { tokens: { count: number; perSecond: number } } | { text: string; pieces: number; perSecond: number };

export interface ModelProcess {
	url: string;
	script(script: Script): Promise<void>;
	close(): void;
}

export async function startModel(): Promise<ModelProcess> {
	const child = forkProgram(join(import.meta.dirname, "model-process.ts"), []);
	const answer = async () => String(await once(child, "message").then(([message]) => message));
	const url = await answer();
	return {
		url,
		async script(script) {
			const taken = answer();
			child.send(script);
			await taken;
		},
		close: () => child.disconnect(),
	};
}
