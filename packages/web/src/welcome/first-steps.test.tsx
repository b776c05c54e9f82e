// @vitest-environment happy-dom
import { act, cleanup, fireEvent, screen, waitFor, within } from "@testing-library/react";
import { afterEach, expect, test, vi } from "vitest";
import { TEST_AGENTS } from "../agent/test-agents.ts";
import { LanguageProvider } from "../i18n/use-words.tsx";
import type { Language } from "../i18n/words.ts";
import { GeneralSection } from "../settings/general-section.tsx";
import { useUi } from "../state/ui-slice.tsx";
import { createTestPage, renderInPage } from "../testing/test-page.tsx";
import { WelcomeSlot } from "./welcome-slot.tsx";

afterEach(() => {
	cleanup();
	vi.unstubAllGlobals();
});

const SETTINGS = {
	...{ permissions: "auto", defaultModel: "", defaultAgent: "", workdir: "", firstRun: "due", notifyTurnEnd: true, notifyQuestion: true },
};
const COPILOT_ONLY = TEST_AGENTS.filter(({ id }) => id === "copilot");

/** A server whose answers a test can change; what was asked for is written down. */
function serve(answers: Record<string, unknown> = {}) {
	const asked: string[] = [];
	let settings = SETTINGS;
	vi.stubGlobal("fetch", async (path: string, init: RequestInit = {}) => {
		const call = `${init.method ?? "GET"} ${path}`;
		asked.push(`${call} ${init.body ?? ""}`.trim());
		const answer = answers[call];
		if (answer instanceof Response) return answer.clone();
		if (answer !== undefined) return Response.json(answer);
		if (path === "/api/settings") {
			settings = { ...settings, ...(init.body === undefined || init.body === null ? {} : JSON.parse(String(init.body))) };
			return Response.json({ settings });
		}
		if (path === "/api/agents") {
			const installable = [{ id: "cline", name: "Cline", installCommand: "npm install -g cline" }];
			return Response.json({ agents: COPILOT_ONLY, default: "copilot", installable });
		}
		if (path === "/api/model-account") return Response.json({ account: { kind: "demo", from: "nothing", hasKey: false } });
		if (path === "/api/copilot/models") return Response.json({ models: [{ id: "m", name: "Mine" }], default: "m", state: "listed" });
		if (path === "/api/telegram") return Response.json({ enabled: false, pairing: false, pending: [], people: [] });
		if (path.startsWith("/api/directories")) {
			const at = decodeURIComponent(path.split("path=")[1] ?? "/home/me");
			return Response.json({ path: at, parent: "/home", directories: [{ name: "shop", path: `${at}/shop` }], roots: [], recent: [] });
		}
		return Response.json({ error: { code: "not-found", message: path } }, { status: 404 });
	});
	return asked;
}

function open(language: Language = "en", state = {}) {
	const page = createTestPage({ state });
	renderInPage(
		page,
		<LanguageProvider language={language}>
			<WelcomeSlot otherwise={<p>otherwise</p>} />
		</LanguageProvider>,
	);
	return page;
}
const next = () => fireEvent.click(screen.getByRole("button", { name: /^(Next|下一步)$/ }));
const title = () => screen.getByRole("heading", { level: 3 }).textContent;

test("[PG790] the steps come in their order, each can be passed over, and the place in them is said; finishing is kept by the server", async () => {
	const asked = serve();
	open();
	await screen.findByRole("region", { name: "First steps" });
	const titles: (string | null)[] = [];
	for (let step = 1; step <= 6; step += 1) {
		titles.push(title());
		expect(screen.getByRole("list", { name: "Progress" }).querySelectorAll('[aria-current="step"]')).toHaveLength(1);
		// Who has just come keeps the focus where it was.
		await waitFor(() => expect(document.activeElement === screen.getByRole("heading", { level: 3 })).toBe(step > 1));
		if (step < 6) next();
	}
	expect(titles).toEqual([
		"Who works for you? (step 1 of 6)",
		"Connect a model, or log in (step 2 of 6)",
		"Where does it work? (step 3 of 6)",
		"How much do you trust it? (step 4 of 6)",
		"Take it along on your phone (step 5 of 6)",
		"Or write to it in Telegram (step 6 of 6)",
	]);
	fireEvent.click(screen.getByRole("button", { name: "Back" }));
	expect(title()).toContain("step 5");
	expect(asked.filter((call) => /^(PATCH|PUT|POST)/.test(call))).toEqual([]);
	next();
	fireEvent.click(screen.getByRole("button", { name: "Finish" }));
	await screen.findByText("otherwise");
	expect(asked).toContain('PATCH /api/settings {"firstRun":"done"}');
});

test("[PG791] dismissed at once they say where they are found again; a server that cannot keep that leaves them where they are", async () => {
	const refused = { error: { code: "storage-read-only", message: "The disk is full." } };
	serve({ "PATCH /api/settings": Response.json(refused, { status: 503 }) });
	const page = open();
	const dismiss = () => fireEvent.click(screen.getByRole("button", { name: "Skip all of this" }));
	await screen.findByRole("region", { name: "First steps" });
	dismiss();
	await waitFor(() => expect(page.store.getState().toasts).toMatchObject([{ kind: "error" }]));
	expect(screen.queryByText("otherwise")).toBeNull();
	serve();
	dismiss();
	await screen.findByText("otherwise");
	expect(page.store.getState().toasts.at(-1)).toMatchObject({ text: "You find the first steps again in the settings, under General." });
});

test("[PG791] what is done is not shown, and nothing is asked or said without a connection or an answer", async () => {
	const done = serve({ "GET /api/settings": { settings: { ...SETTINGS, firstRun: "done" } } });
	open();
	await waitFor(() => expect(done).toHaveLength(1));
	expect(screen.getByText("otherwise")).toBeTruthy();
	cleanup();
	const offline = serve();
	open("en", { connection: { kind: "waiting", attempt: 1, until: 0 } });
	expect([screen.getByText("otherwise") !== null, offline]).toEqual([true, []]);
	cleanup();
	vi.stubGlobal("fetch", () => Promise.reject(new TypeError("offline")));
	const page = open();
	await waitFor(() => expect(screen.getByText("otherwise")).toBeTruthy());
	expect(page.store.getState().toasts).toEqual([]);
});

test("[PG792] the settings bring them back, from the first one on", async () => {
	const asked = serve({ "GET /api/settings": { settings: { ...SETTINGS, firstRun: "done" } } });
	let firstRun: unknown;
	function Spy() {
		firstRun = useUi((state) => state.firstRun);
		return null;
	}
	const page = createTestPage({ state: { settingsOpen: true } });
	renderInPage(
		page,
		<>
			<Spy />
			<GeneralSection />
		</>,
	);
	fireEvent.click(screen.getByRole("button", { name: "Show them again" }));
	await waitFor(() => expect(firstRun).toBe("due"));
	expect(asked).toContain('PATCH /api/settings {"firstRun":"due"}');
	expect(page.store.getState().settingsOpen).toBe(false);
});

test("[PG793] whoever has no other agent is told so and what installs one; the choice is the default of new conversations", async () => {
	const asked = serve();
	open();
	await screen.findByText(/No other agent was found on this machine/);
	expect(within(await screen.findByRole("list", { name: "Install another agent" })).getByText("npm install -g cline")).toBeTruthy();
	cleanup();
	serve();
	const page = open("zh-Hant", { agents: { agents: TEST_AGENTS, default: "copilot" } });
	fireEvent.click(await screen.findByRole("radio", { name: /^opencode/ }));
	await waitFor(() => expect(page.store.getState().agents?.agents).toHaveLength(1));
	expect(screen.queryByText(/No other agent/)).toBeNull();
	expect(asked.some((call) => call.startsWith("PATCH"))).toBe(false);
});

test("[PG793] an agent that is found after the list was given is no more among those to install", async () => {
	serve();
	const page = open();
	await screen.findByText("npm install -g cline");
	const cline = TEST_AGENTS.filter(({ id }) => id === "opencode").map((agent) => ({ ...agent, id: "cline", name: "Cline" }));
	act(() => page.store.setState({ agents: { agents: [...COPILOT_ONLY, ...cline], default: "copilot" } }));
	await screen.findByRole("radio", { name: /^Cline/ });
	expect(screen.queryByText("npm install -g cline")).toBeNull();
});

test("[PG794] a key is tried and connected, leaves the form, and a refusal stands beside it with nothing lost", async () => {
	const refused = {
		error: { code: "provider-auth", message: "The provider refuses this key.", params: { reason: "typed-key", status: 401 } },
	};
	serve({ "PUT /api/model-account": Response.json(refused, { status: 502 }) });
	open();
	await screen.findByRole("region", { name: "First steps" });
	next();
	fireEvent.click(await screen.findByRole("button", { name: "Anthropic" }));
	const address = screen.getByRole<HTMLInputElement>("textbox", { name: "Address" });
	const key = screen.getByLabelText<HTMLInputElement>("Key");
	expect([address.value, key.type, key.autocomplete]).toEqual(["https://api.anthropic.com", "password", "new-password"]);
	fireEvent.change(key, { target: { value: "sk-mine" } });
	fireEvent.click(screen.getByRole("button", { name: "Try and connect" }));
	await screen.findByText("That did not work: The provider refuses this key.");
	expect([address.value, key.value]).toEqual(["https://api.anthropic.com", "sk-mine"]);
	const account = { kind: "own", from: "page", type: "anthropic", url: "https://api.anthropic.com", hasKey: true };
	const asked = serve({ "PUT /api/model-account": { account } });
	fireEvent.click(screen.getByRole("button", { name: "Try and connect" }));
	await screen.findByText("Connected. m answers from the next prompt on.");
	expect(asked).toContain('PUT /api/model-account {"kind":"own","type":"anthropic","url":"https://api.anthropic.com","key":"sk-mine"}');
	expect([screen.getByText(/Your own provider answers/).textContent, screen.getByLabelText<HTMLInputElement>("Key").value]).toEqual([
		"Your own provider answers: https://api.anthropic.com",
		"",
	]);
	expect(document.body.innerHTML).not.toContain("sk-mine");
});

test("[PG794] a provider that lists no models is asked for a name, and what the configuration says is only shown", async () => {
	const account = { kind: "own", from: "page", type: "openai", url: "http://127.0.0.1:1/v1", hasKey: false };
	const unlisted = { models: [{ id: "default", name: "Default" }], default: "default", state: "unlisted", because: "none" };
	const asked = serve({ "PUT /api/model-account": { account }, "GET /api/copilot/models": unlisted });
	open();
	await screen.findByRole("region", { name: "First steps" });
	next();
	fireEvent.change(await screen.findByRole("textbox", { name: "Address" }), { target: { value: "http://127.0.0.1:1/v1" } });
	fireEvent.click(screen.getByRole("button", { name: "Try and connect" }));
	fireEvent.change(await screen.findByRole("textbox", { name: "Name of the model" }), { target: { value: "qwen3" } });
	fireEvent.click(screen.getByRole("button", { name: "Use it" }));
	await waitFor(() => expect(asked).toContain('PATCH /api/settings {"defaultModel":"qwen3"}'));
	cleanup();
	serve({ "GET /api/model-account": { account: { ...account, from: "configuration" } } });
	open();
	await screen.findByRole("region", { name: "First steps" });
	next();
	await screen.findByText(/This is set where Rightseat is started/);
	expect(screen.queryByRole("button", { name: "Try and connect" })).toBeNull();
});

test("[PG795] an agent with an account of its own gets the terminal with its command typed in, and nothing to fill in", async () => {
	serve();
	const page = open("en", { agents: { agents: TEST_AGENTS, default: "codex" } });
	await screen.findByRole("region", { name: "First steps" });
	next();
	await screen.findByText(/Codex has an account of its own/);
	expect(screen.queryByRole("textbox")).toBeNull();
	fireEvent.click(screen.getByRole("button", { name: "Log in" }));
	expect(page.store.getState().panel).toBe("terminal");
});

test("[PG796] folders are walked and one is taken; permissions are chosen in words", async () => {
	const asked = serve();
	open();
	await screen.findByRole("region", { name: "First steps" });
	next();
	next();
	fireEvent.click(await screen.findByRole("button", { name: "shop" }));
	const list = await screen.findByRole("list", { name: "Folders in /home/me/shop" });
	await waitFor(() => expect(document.activeElement === list).toBe(true));
	fireEvent.click(screen.getByRole("button", { name: "Work in this folder" }));
	await waitFor(() => expect(asked).toContain('PATCH /api/settings {"workdir":"/home/me/shop"}'));
	next();
	fireEvent.click(await screen.findByRole("radio", { name: /^Ask me first/ }));
	await waitFor(() => expect(asked).toContain('PATCH /api/settings {"permissions":"ask"}'));
});

test("[PG796] where the folder of before is gone, it is said and the walk begins at home", async () => {
	const gone = Response.json({ error: { code: "cwd-missing", message: "There is no directory /gone." } }, { status: 400 });
	serve({ "GET /api/directories": gone });
	open();
	await screen.findByRole("region", { name: "First steps" });
	next();
	next();
	await screen.findByRole("list", { name: "Folders in ~" });
	expect(screen.getByRole("alert").textContent).toContain("/gone");
});

test("[PG797] no button, box or status of the first view is named like one of the page's own, in either language", async () => {
	for (const language of ["en", "zh-Hant"] as const) {
		serve();
		open(language);
		await screen.findByRole("region", { name: /First steps|初次設定/ });
		await screen.findByRole("radio");
		const names = screen.getAllByRole("button").map((button) => button.textContent ?? "");
		expect(
			names.filter((name) => /message|send|stop|model|answer|new conversation|log in|訊息|傳送|停止|模型|新對話|登入/i.test(name)),
		).toEqual([]);
		for (const role of ["textbox", "combobox", "status", "log", "article"]) expect(screen.queryAllByRole(role)).toEqual([]);
		cleanup();
	}
});

test("[PG1072] the login of the GitHub CLI is offered where a model is connected, with whose it is, and used by a press", async () => {
	const asked = serve({
		"GET /api/model-account/login": { available: true, host: "github.com", user: "ann" },
		"PUT /api/model-account": { account: { kind: "copilot", from: "page", hasKey: true, login: "gh" } },
	});
	open();
	await screen.findByRole("region", { name: "First steps" });
	next();
	await screen.findByText("The GitHub CLI (gh) is logged in on this machine as ann.");
	fireEvent.click(screen.getByRole("button", { name: "Use this login" }));
	await screen.findByText("GitHub Copilot answers, with the login of the GitHub CLI (gh) on this machine.");
	expect(screen.getByRole("button", { name: "Use it again" })).toBeDefined();
	expect(asked.filter((call) => call.startsWith("PUT"))).toEqual(['PUT /api/model-account {"kind":"gh"}']);
});
