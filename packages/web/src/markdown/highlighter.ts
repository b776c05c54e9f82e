import type { CodeLine, HighlightAnswer, Highlighter, HighlightRequest } from "./highlight-port.ts";

/** Longer code stays plain: colour is not worth the wait. */
export const MAX_HIGHLIGHT_CHARS = 30_000;
export const MAX_CACHED = 200;

/** The part of a Worker that is used. */
export interface HighlightWorker {
	postMessage(request: HighlightRequest): void;
	onAnswer(listener: (answer: HighlightAnswer) => void): void;
}

/** Colours code in a worker, made at first use, so that reading a grammar never stops the page. */
export function createHighlighter(openWorker: () => HighlightWorker): Highlighter {
	let worker: HighlightWorker | undefined;
	let nextId = 0;
	const waiting = new Map<number, (lines: readonly CodeLine[] | undefined) => void>();
	const cache = new Map<string, Promise<readonly CodeLine[] | undefined>>();

	const ask = (code: string, language: string) => {
		if (worker === undefined) {
			worker = openWorker();
			worker.onAnswer(({ id, lines }) => {
				waiting.get(id)?.(lines ?? undefined);
				waiting.delete(id);
			});
		}
		const id = nextId++;
		worker.postMessage({ id, code, language });
		return new Promise<readonly CodeLine[] | undefined>((resolve) => waiting.set(id, resolve));
	};

	return {
		highlight(code, language) {
			if (language === "" || code.length > MAX_HIGHLIGHT_CHARS) return Promise.resolve(undefined);
			const key = `${language}\n${code}`;
			const known = cache.get(key);
			if (known !== undefined) return known;
			const answer = ask(code, language);
			cache.set(key, answer);
			const oldest = cache.keys().next();
			if (cache.size > MAX_CACHED && oldest.done === false) cache.delete(oldest.value);
			return answer;
		},
	};
}
