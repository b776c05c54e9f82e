import { createRoot } from "react-dom/client";
import { App } from "./app/app.tsx";
import { createPage } from "./app/create-page.ts";
import { PageProvider } from "./state/use-page.tsx";
import "./app/theme.css";
import "./transcript/transcript.css";

const root = document.getElementById("root");
if (root !== null) {
	const page = createPage();
	createRoot(root).render(
		<PageProvider page={page}>
			<App />
		</PageProvider>,
	);
	page.start();
}
