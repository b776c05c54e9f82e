/** Markdown as HTML that can do nothing. Loaded when somebody shares for the first time: a start does not wait for it. */
export type MarkdownLoader = () => Promise<(text: string) => string>;

export function createMarkdownLoader(): MarkdownLoader {
	let loading: ReturnType<MarkdownLoader> | undefined;
	return () => {
		loading ??= import("../../../services/markdown/markdown-html.ts").then(({ createMarkdownHtml }) => createMarkdownHtml());
		return loading;
	};
}
