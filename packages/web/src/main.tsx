import { createRoot } from "react-dom/client";
import { App } from "./app/app.tsx";
import { createPage } from "./app/create-page.ts";
import { trustOwnScripts } from "./app/trust-own-scripts.ts";
import { HighlightContext } from "./markdown/highlight-context.tsx";
import { createHighlighter } from "./markdown/highlighter.ts";
import { openHighlightWorker } from "./markdown/open-highlight-worker.ts";
import { PageProvider } from "./state/use-page.tsx";
import { loadLog } from "./transcript/transcript.tsx";
import "./app/theme.css";
import "./transcript/transcript.css";

/** Fetched at once where a conversation is to be shown, else when the page has nothing better to do. */
const FETCH_LOG_AFTER_MS = 300;
setTimeout(() => void loadLog(), location.pathname.startsWith("/c/") ? 0 : FETCH_LOG_AFTER_MS);

trustOwnScripts(window);
const root = document.getElementById("root");
if (root !== null) {
	const page = createPage();
	createRoot(root).render(
		<PageProvider page={page}>
			<HighlightContext value={createHighlighter(openHighlightWorker)}>
				<App />
			</HighlightContext>
		</PageProvider>,
	);
	page.start();
}
