// @vitest-environment happy-dom
import type { ConversationSetup, McpServerState } from "@rightseat/protocol/http/setup";
import { cleanup, fireEvent, screen, waitFor, within } from "@testing-library/react";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { testConversation } from "../sidebar/test-conversation.ts";
import { useUi } from "../state/ui-slice.tsx";
import { createTestPage, renderInPage } from "../testing/test-page.tsx";
import { OwnServersPart } from "./own-servers-part.tsx";
import { SetupPanel } from "./setup-panel.tsx";
import { readTypedServer } from "./typed-server.ts";

const server = (given: Partial<McpServerState> & { name: string }): McpServerState => ({
	...{ state: "connected", tools: [], source: "settings", enabled: true },
	...given,
});
const GIVEN: ConversationSetup = {
	...{ trusted: true, open: true, agents: [] },
	mcp: [
		server({ name: "notes", tools: ["search", "add"], hides: [".mcp.json"] }),
		server({ name: "slow", state: "pending", waiting: true, source: "config.json" }),
		server({ name: "web", state: "needs-auth", source: ".mcp.json" }),
		server({ name: "old", state: "failed", error: "It ended by itself." }),
	],
	skills: [{ name: "release", source: ".github/skills/release/SKILL.md", description: "How we release.", enabled: true }],
	instructions: [{ name: "AGENTS.md", source: "AGENTS.md", enabled: true }],
};
const FOLDER = {
	...{ path: "/shop", trusted: true },
	found: [
		{ kind: "hook", name: "sessionStart", source: ".github/hooks/a.json", runs: "./greet.sh" },
		{ kind: "mcp", name: "web", source: ".mcp.json", runs: "https://web.example" },
		{ kind: "skill", name: "release", source: ".github/skills/release/SKILL.md" },
	],
};
const OWN = {
	mcpServers: {
		notes: { command: "npx", args: ["notes-mcp"], env: { KEY: null } },
		fixed: { type: "http", url: "https://fixed.example/mcp", headers: {} },
	},
	sources: { notes: "settings", fixed: "config.json" },
};
let given: ConversationSetup;
let own: unknown;
let calls: string[];
let answers: Map<string, unknown>;
beforeEach(() => {
	[given, own, calls] = [GIVEN, OWN, []];
	answers = new Map();
	vi.stubGlobal("fetch", async (path: string, { method, body }: RequestInit) => {
		if (method === "GET") return Response.json(path.endsWith("/setup") ? given : path === "/api/mcp" ? own : FOLDER);
		calls.push(`${method} ${path}${typeof body === "string" ? ` ${body}` : ""}`);
		const answer = answers.get(`${method} ${path}`);
		if (answer instanceof Response) return answer;
		return answer === undefined ? new Response(null, { status: 204 }) : Response.json(answer);
	});
});
afterEach(() => {
	cleanup();
	vi.unstubAllGlobals();
});
const show = (part: React.ReactNode) => {
	const page = createTestPage({ conversations: [testConversation({ id: "c1", cwd: "/shop" })], openId: "c1" });
	renderInPage(page, part);
	return page;
};
const press = (name: string) => fireEvent.click(screen.getByRole("button", { name }));

test("[PG1004] MCP servers of a conversation are shown with state, reason, tools and source, and switched", async () => {
	show(<SetupPanel />);
	const rows = within(await screen.findByRole("region", { name: "MCP servers" }));
	expect(rows.getAllByRole("listitem").map((row) => row.textContent)).toEqual([
		expect.stringMatching(/^notesconnectedfrom your settingsUsed in place of the one in \.mcp\.json\.2 toolssearch, add/),
		expect.stringMatching(/^slowstartingfrom config\.json.*The prompt waits for slow…/),
		expect.stringMatching(/^websign-in neededfrom \.mcp\.json/),
		expect.stringMatching(/^oldfailedfrom your settingsIt ended by itself\./),
	]);
	expect(screen.getByText("How we release.")).toBeDefined();
	// What runs with a state is listed once.
	await waitFor(() => expect(within(screen.getByRole("region", { name: "What runs" })).getAllByRole("listitem")).toHaveLength(1));
	given = { ...GIVEN, mcp: [server({ name: "notes", state: "disabled", enabled: false })] };
	fireEvent.click(rows.getByRole("checkbox", { name: "Use notes in this conversation" }));
	await screen.findByText("off");
	expect(calls).toEqual(['PATCH /api/conversations/c1 {"mcp":{"notes":false}}']);
});

test("[PG1083] where the agent has no MCP server, one press leads to where one is added", async () => {
	given = { ...GIVEN, mcp: [] };
	const Section = () => <output>{useUi(({ settingsSection }) => settingsSection)}</output>;
	const page = show(
		<>
			<SetupPanel />
			<Section />
		</>,
	);
	fireEvent.click(await screen.findByRole("button", { name: "Add one in the settings" }));
	expect(page.store.getState().settingsOpen).toBe(true);
	expect(screen.getByRole("status").textContent).toBe("setup");
	cleanup();
	given = GIVEN;
	show(<SetupPanel />);
	await screen.findByRole("region", { name: "MCP servers" });
	expect(screen.queryByRole("button", { name: "Add one in the settings" })).toBeNull();
});

test("[PG1047] beside each agent of the folder stands whether the conversation is it, and the button that changes that", async () => {
	given = { ...GIVEN, agents: ["poet", "clerk"].map((name) => ({ name, source: `.github/agents/${name}.md`, enabled: true })) };
	const conversation = testConversation({ id: "c1", cwd: "/shop", agentProfile: "poet" });
	renderInPage(createTestPage({ conversations: [conversation], openId: "c1" }), <SetupPanel />);
	fireEvent.click(await screen.findByRole("button", { name: "Stop using poet" }));
	press("Use clerk");
	const patch = (agentProfile: string) => `PATCH /api/conversations/c1 ${JSON.stringify({ agentProfile })}`;
	await waitFor(() => expect(calls).toEqual([patch(""), patch("clerk")]));
	answers.set(
		"PATCH /api/conversations/c1",
		Response.json({ error: { code: "unknown-option", message: "There is no such agent." } }, { status: 400 }),
	);
	press("Use clerk");
	expect(await screen.findByText(/There is no such agent/)).toBeDefined();
});

test("[PG1004] a prompt that waits for a server goes on without it, and a server of a folder that nobody trusts cannot be switched on", async () => {
	given = { ...GIVEN, trusted: false };
	show(<SetupPanel />);
	await screen.findByText("Off until this folder is trusted.");
	expect(screen.getByRole("checkbox", { name: "Use web in this conversation" })).toHaveProperty("disabled", true);
	expect(screen.getByRole("checkbox", { name: "Use notes in this conversation" })).toHaveProperty("disabled", false);
	press("Go on without");
	await waitFor(() => expect(calls).toEqual(["POST /api/conversations/c1/mcp/go-on"]));
});

test("[PG1005] signing in to a server works from a phone: the address that the browser ended on is pasted", async () => {
	show(<SetupPanel />);
	await screen.findByText("sign-in needed");
	const way = "/api/conversations/c1/mcp/web/login";
	answers.set(`POST ${way}`, { authorizationUrl: "https://web.example/authorize?x=1", redirectUrl: "http://127.0.0.1:4/" });
	press("Sign in to web");
	const link = await screen.findByRole("link", { name: "Open the sign-in page" });
	expect([link.getAttribute("href"), link.getAttribute("rel")]).toEqual(["https://web.example/authorize?x=1", "noopener noreferrer"]);
	const box = screen.getByRole("textbox", { name: "Address of the last page" });
	fireEvent.change(box, { target: { value: " http://127.0.0.1:4/?code=1 " } });
	answers.set(`PUT ${way}`, Response.json({ error: { code: "bad-request", message: "Not that address." } }, { status: 400 }));
	press("Finish");
	await screen.findByText("Not that address.");
	expect(box).toHaveProperty("value", " http://127.0.0.1:4/?code=1 ");
	answers.set(`PUT ${way}`, { state: "connected" });
	press("Finish");
	await screen.findByRole("button", { name: "Sign in to web" });
	expect(calls.at(-1)).toBe(`PUT ${way} {"url":"http://127.0.0.1:4/?code=1"}`);
	// A server may name anything.
	answers.set(`POST ${way}`, { authorizationUrl: "javascript:alert(1)" });
	press("Sign in to web");
	await waitFor(() => expect(calls.filter((call) => call === `POST ${way}`)).toHaveLength(2));
	expect(screen.queryByRole("link")).toBeNull();
});

test("[PG1006] one's own servers are tried, removed and added in the settings; those of config.json stay where they are", async () => {
	show(<OwnServersPart />);
	const list = within(await screen.findByRole("list", { name: "Your MCP servers" }));
	expect(list.getAllByRole("listitem").map((item) => item.textContent)).toEqual([
		"notesnpx notes-mcpTestRemove",
		"fixedhttps://fixed.example/mcpin config.json, changed thereTest",
	]);
	answers.set("POST /api/mcp/test", { state: "connected", tools: ["search"] });
	press("Test notes");
	await screen.findByText("notes works: search.");
	answers.set("POST /api/mcp/test", { state: "failed", tools: [], error: "It ended." });
	press("Test fixed");
	await screen.findByText("fixed does not work: It ended.");
	const type = (name: string, value: string) => fireEvent.change(screen.getByRole("textbox", { name }), { target: { value } });
	type("Name", "tickets");
	type("Program, or web address", "node");
	type("Arguments, one in each line", "tickets.js\n--name=two words\n");
	type("Variables, one in each line: NAME=value", "no value");
	press("Add");
	await screen.findByText("“no value” has no name and value.");
	type("Variables, one in each line: NAME=value", "KEY=a=b");
	answers.set("PUT /api/mcp", OWN);
	press("Add");
	await screen.findByText("tickets is added. Conversations get it with their next prompt.");
	press("Remove notes");
	fireEvent.click(screen.getAllByRole("button", { name: "Remove" })[0] ?? document.body);
	await screen.findByText(/^notes is removed/);
	const puts = calls.filter((call) => call.startsWith("PUT")).map((call) => JSON.parse(call.slice("PUT /api/mcp ".length)).mcpServers);
	expect(puts).toEqual([
		{
			notes: { command: "npx", args: ["notes-mcp"], env: { KEY: null } },
			tickets: { command: "node", args: ["tickets.js", "--name=two words"], env: { KEY: "a=b" } },
		},
		{},
	]);
});

test("[PG1006] what is typed with an address is a server of the web with headers", () => {
	expect(readTypedServer({ program: " https://x.example/mcp ", args: "", secrets: "Authorization: Bearer a:b" })).toEqual({
		server: { type: "http", url: "https://x.example/mcp", headers: { Authorization: "Bearer a:b" } },
	});
	expect(readTypedServer({ program: "x", args: "", secrets: "=v" })).toEqual({ badLine: "=v" });
});
