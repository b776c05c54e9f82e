/** One row of the conversation as it stands on the page. */
export interface ShownRow {
	key: string;
	role: "user" | "agent" | "command";
	/** What was said; of a command, the command. */
	text: string;
	/** Of a command: what is shown of its output, in one or two pieces. */
	output: string[];
	/** `busy`: still growing. `waiting`: not confirmed by the server. `stuck`: wants its writer's word. */
	state: "settled" | "busy" | "waiting" | "stuck";
}

/** Runs in the page: everything that the transcript draws, from top to bottom. */
export function readRows(): ShownRow[] {
	const texts = (root: Element, selector: string) => [...root.querySelectorAll(selector)].map((element) => element.textContent ?? "");
	return [...document.querySelectorAll('[role="log"] .log-content > [data-key]')].map((row): ShownRow => {
		const article = row.querySelector("article");
		const key = row.getAttribute("data-key") ?? "";
		const name = article?.getAttribute("aria-label");
		if (article === null) return { key, role: "agent", text: "a row without an article", output: [], state: "stuck" };
		if (name === "Command") {
			const command = texts(article, ".shell-prompt").join("").split(" $ ").slice(1).join(" $ ");
			const running = article.querySelector(".shell-head .pulse-dot") !== null;
			return { key, role: "command", text: command, output: texts(article, ".output"), state: running ? "busy" : "settled" };
		}
		if (name === "Assistant") {
			const busy = article.getAttribute("aria-busy") === "true";
			return { key, role: "agent", text: texts(article, ".md").join("\n"), output: [], state: busy ? "busy" : "settled" };
		}
		const waits = article.querySelector(".foot-shown");
		const state = waits === null ? "settled" : waits.querySelector("button") === null ? "waiting" : "stuck";
		return { key, role: "user", text: texts(article, ".bubble").join("\n"), output: [], state };
	});
}
