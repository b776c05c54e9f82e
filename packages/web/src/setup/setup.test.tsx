// @vitest-environment happy-dom
import type { FolderSetupAnswer } from "@rightseat/protocol/http/folders";
import type { Conversation } from "@rightseat/protocol/model/conversation";
import { cleanup, fireEvent, screen, waitFor, within } from "@testing-library/react";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { LanguageProvider } from "../i18n/use-words.tsx";
import { testConversation } from "../sidebar/test-conversation.ts";
import { createTestPage, renderInPage } from "../testing/test-page.tsx";
import { createSeenFolders, MAX_SEEN_FOLDERS } from "./seen-folders.ts";
import { SetupEntry } from "./setup-entry.tsx";
import { SetupNote } from "./setup-note.tsx";
import { SetupPanel } from "./setup-panel.tsx";
import { TrustedFoldersPart } from "./trusted-folders-part.tsx";

const SHOP: FolderSetupAnswer = {
	path: "/home/ann/shop",
	trusted: false,
	found: [
		{ kind: "hook", name: "sessionStart", source: ".github/hooks/a.json", runs: "./greet.sh\necho \u202edone", env: ["KEY"] },
		{ kind: "mcp", name: "tickets", source: ".mcp.json", runs: "node tickets.js" },
		{ kind: "lsp", name: "lsp.json", source: ".github/lsp.json", problem: "not-json" },
		{ kind: "skill", name: "release", source: ".github/skills/release/SKILL.md" },
		{ kind: "instructions", name: "AGENTS.md", source: "AGENTS.md" },
	],
};
let shop: FolderSetupAnswer;
let words: { path: string; trusted: boolean }[];
let asked: string[];
let refusal: boolean;
beforeEach(() => {
	shop = SHOP;
	words = [];
	asked = [];
	refusal = false;
	localStorage.clear();
	vi.stubGlobal("fetch", async (path: string, { method, body }: RequestInit) => {
		// What the conversation was given has tests of its own.
		if (path.startsWith("/api/conversations/")) return new Promise<Response>(() => undefined);
		asked.push(`${method} ${path}${typeof body === "string" ? ` ${body}` : ""}`);
		if (refusal) return Response.json({ error: { code: "forbidden", message: "no" } }, { status: 403 });
		if (method === "GET") return Response.json(path.startsWith("/api/folders/trust") ? { folders: words } : shop);
		shop = { ...shop, trusted: JSON.parse(String(body)).trusted };
		words = words.filter((each) => each.path !== JSON.parse(String(body)).path);
		return new Response(null, { status: 204 });
	});
});
afterEach(() => {
	cleanup();
	vi.unstubAllGlobals();
});
const show = (part: React.ReactNode, given: Partial<Conversation> = {}) => {
	const page = createTestPage({ conversations: [testConversation({ id: "c1", cwd: "/home/ann/shop", ...given })], openId: "c1" });
	renderInPage(page, part);
	return page;
};
const press = (name: string | RegExp) => fireEvent.click(screen.getByRole("button", { name }));
/** What was done is said before the button can be pressed again. */
const canBePressed = (name: string) => waitFor(() => expect(screen.getByRole("button", { name })).toHaveProperty("disabled", false));

test("[PG1000] the set-up shows what would run and from which file before trust is given, gives it and takes it back", async () => {
	show(<SetupPanel />);
	const run = within(await screen.findByRole("region", { name: "What would run" }));
	expect(run.getAllByRole("listitem").map((item) => item.textContent)).toEqual([
		"HooksessionStartfrom .github/hooks/a.json./greet.sh\necho \\u{202e}donewith the variables KEY",
		"MCP serverticketsfrom .mcp.jsonnode tickets.js",
		"Language serverlsp.jsonfrom .github/lsp.jsonThe file is no valid JSON. The agent may still understand it.",
	]);
	expect(within(screen.getByRole("region", { name: "What would be offered" })).getByText("release")).toBeDefined();
	expect(within(screen.getByRole("region", { name: "What is read in any case" })).getByText("AGENTS.md")).toBeDefined();
	press("Trust this folder");
	await screen.findByText("This folder is trusted from the next prompt on.");
	expect(await screen.findByRole("region", { name: "What runs" })).toBeDefined();
	await canBePressed("Take trust back");
	press("Take trust back");
	await screen.findByText(/^Trust is taken back/);
	expect(asked.filter((call) => call.startsWith("PUT"))).toEqual([
		'PUT /api/folders/trust {"path":"/home/ann/shop","trusted":true}',
		'PUT /api/folders/trust {"path":"/home/ann/shop","trusted":false}',
	]);
	await canBePressed("Trust this folder");
	refusal = true;
	press("Trust this folder");
	expect((await screen.findByText(/^That did not work/)).getAttribute("role")).toBe("alert");
});

test("[PG1000] a folder of another host is asked there, another agent says what trust cannot do, and nothing is said where there is nothing", async () => {
	show(<SetupPanel />, { host: { id: "laptop", name: "Laptop" }, agent: "claude" });
	expect(await screen.findByText(/^This agent reads the folder by its own rules/)).toBeDefined();
	press("Trust this folder");
	await screen.findByText(/^This folder is trusted/);
	expect(asked.slice(0, 2)).toEqual([
		"GET /api/folders/setup?path=%2Fhome%2Fann%2Fshop&host=laptop",
		'PUT /api/folders/trust {"path":"/home/ann/shop","host":"laptop","trusted":true}',
	]);
	cleanup();
	shop = { ...SHOP, found: [] };
	show(<SetupPanel />);
	expect(await screen.findByText("This folder brings nothing for the agent.")).toBeDefined();
	expect(screen.queryByRole("button", { name: "Trust this folder" })).toBeNull();
});

test("[PG1001] one quiet line says that a folder brings something, once: it leads to the set-up, or is put off on this device", async () => {
	const both = (
		<>
			<SetupEntry />
			<SetupNote />
		</>
	);
	const page = show(both);
	expect(await screen.findByText("This folder brings 3 things that would run.")).toBeDefined();
	press("Look");
	expect(page.store.getState().panel).toBe("setup");
	expect(screen.queryByRole("note")).toBeNull();
	expect(screen.getByRole("button", { name: "Set-up: this folder is not trusted" }).getAttribute("aria-pressed")).toBe("true");
	cleanup();
	show(both);
	await screen.findByRole("button", { name: "Set-up: this folder is not trusted" });
	expect(screen.queryByRole("note")).toBeNull();
	cleanup();
	localStorage.clear();
	for (const quiet of [
		{ ...SHOP, trusted: true },
		{ ...SHOP, found: SHOP.found.slice(4) },
	]) {
		shop = quiet;
		asked = [];
		show(both);
		if (quiet.trusted) await screen.findByRole("button", { name: "Set-up of this folder" });
		else await waitFor(() => expect(asked).toHaveLength(1));
		expect(screen.queryByRole("note")).toBeNull();
		cleanup();
	}
	shop = SHOP;
	show(both);
	await screen.findByRole("note");
	press("Not now");
	expect(screen.queryByRole("note")).toBeNull();
});

test("[PG1001] folders that were seen are bounded, and what is no list is none", () => {
	localStorage.setItem("rightseat:folders-seen", "{");
	const seen = createSeenFolders(localStorage);
	for (let n = 0; n <= MAX_SEEN_FOLDERS; n++) seen.add(`/${n}`);
	const again = createSeenFolders(localStorage);
	expect([again.has("/0"), again.has("/1"), again.has(`/${MAX_SEEN_FOLDERS}`)]).toEqual([false, true, true]);
});

test("[PG1002] the settings list the folders that people spoke about, and trust is taken back there, in both languages", async () => {
	words = [
		{ path: "/home/ann/shop", trusted: true },
		{ path: "/home/ann/shop/vendor", trusted: false },
	];
	show(<TrustedFoldersPart />);
	const list = within(await screen.findByRole("list", { name: "Trusted folders" }));
	expect(list.getAllByRole("button").map((button) => button.getAttribute("aria-label"))).toEqual(["Take back trust in /home/ann/shop"]);
	press("Take back trust in /home/ann/shop");
	await screen.findByText("/home/ann/shop is not trusted any more.");
	cleanup();
	words = [];
	show(
		<LanguageProvider language="zh-Hant">
			<TrustedFoldersPart />
		</LanguageProvider>,
	);
	expect(await screen.findByText(/^沒有信任的資料夾/)).toBeDefined();
});
