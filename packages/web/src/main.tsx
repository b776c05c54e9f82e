import { createRoot } from "react-dom/client";
import { App } from "./app/app.tsx";
import { createPage } from "./app/create-page.ts";
import { trustOwnScripts } from "./app/trust-own-scripts.ts";
import { HighlightContext } from "./markdown/highlight-context.ts";
import { createHighlighter } from "./markdown/highlighter.ts";
import { openHighlightWorker } from "./markdown/open-highlight-worker.ts";
import { PageProvider } from "./state/use-page.tsx";
import { loadLog } from "./transcript/transcript.tsx";
import "./app/theme.css";
import "./transcript/log/log.css";

// Where a conversation is to be shown its part of the code comes along with the rest.
if (location.pathname.startsWith("/c/")) void loadLog();

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
