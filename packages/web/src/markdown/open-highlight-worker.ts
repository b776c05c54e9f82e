import type { HighlightAnswer } from "./highlight-port.ts";
import type { HighlightWorker } from "./highlighter.ts";

export function openHighlightWorker(): HighlightWorker {
	const worker = new Worker(new URL("./highlight.worker.ts", import.meta.url), { type: "module" });
	return {
		postMessage: (request) => worker.postMessage(request),
		onAnswer: (listener) => worker.addEventListener("message", (event: MessageEvent<HighlightAnswer>) => listener(event.data)),
	};
}
