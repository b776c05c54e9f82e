// @vitest-environment happy-dom
import { cleanup, fireEvent, screen, waitFor } from "@testing-library/react";
import { afterEach, expect, test, vi } from "vitest";
import { SLASH_COMMANDS } from "../commands/registry.ts";
import { LanguageProvider } from "../i18n/use-words.tsx";
import { NewConversationDialog } from "../sidebar/new-conversation-dialog.tsx";
import { testConversation } from "../sidebar/test-conversation.ts";
import { useUi } from "../state/ui-slice.tsx";
import { createTestPage, renderInPage } from "../testing/test-page.tsx";
import { AgentOptions } from "./agent-options.tsx";
import { AgentPicker } from "./agent-picker.tsx";
import { TEST_AGENTS } from "./test-agents.ts";

afterEach(() => {
	cleanup();
	vi.unstubAllGlobals();
	history.replaceState(null, "", "/");
});

const AGENTS = TEST_AGENTS.map((agent) =>
	agent.id === "opencode"
		? {
				...agent,
				modes: [
					{ id: "agent", name: "Agent" },
					{ id: "plan", name: "Its plan" },
				],
				efforts: [
					{ id: "low", name: "Low" },
					{ id: "high", name: "High" },
				],
			}
		: agent,
);
const page = (fallback: string) => createTestPage({ state: { agents: { agents: AGENTS, default: fallback } } });

function choose(label: string, option: RegExp) {
	const box = screen.getByRole("combobox", { name: label });
	// It stays open where there is something to read first.
	if (box.getAttribute("aria-expanded") === "false") fireEvent.click(box);
	fireEvent.click(screen.getByRole("option", { name: option }));
}

test("[PG720] the form offers mode and effort as the agent's last session had them, and the conversation begins with what was chosen", async () => {
	const asked: string[] = [];
	vi.stubGlobal("fetch", async (path: string, init: RequestInit) => {
		asked.push(`${init.method ?? "GET"} ${path} ${init.body ?? ""}`.trim());
		if (path === "/api/conversations") return Response.json({ conversation: testConversation({ id: "c9" }) }, { status: 201 });
		if (path.startsWith("/api/directories")) return Response.json({ path: "/home/me", directories: [], recent: [] });
		return Response.json({ models: [], default: "", state: "listed" });
	});
	renderInPage(page("opencode"), <NewConversationDialog />);
	expect(screen.getByText("As opencode offered them when it was last open.")).toBeTruthy();
	expect(screen.getByRole("combobox", { name: "Effort" }).textContent).toBe("As the agent takes it");
	choose("Mode", /^Plan$/);
	choose("Effort", /^High$/);
	fireEvent.click(screen.getByRole("button", { name: "Start" }));
	await waitFor(() => expect(asked).toContain('POST /api/conversations {"mode":"plan","effort":"high"}'));
});

test("[PG720] another agent has its own: what was chosen goes, and where nothing is known the form says where it will be, in both languages", () => {
	vi.stubGlobal("fetch", async () => Response.json({ models: [], default: "", state: "listed" }));
	for (const [language, mode, agent, later] of [
		["en", "Mode", "Agent", "If Codex has modes or efforts, they can be chosen beside the model once the conversation has begun."],
		["zh-Hant", "模式", "代理", "Codex 若有模式或思考強度可選，對話開始後會出現在模型旁邊。"],
	] as const) {
		renderInPage(
			page("opencode"),
			<LanguageProvider language={language}>
				<NewConversationDialog />
			</LanguageProvider>,
		);
		choose(mode, /^(Plan|規劃)$/);
		choose(agent, /^Codex/);
		expect(screen.getByText(later)).toBeTruthy();
		expect(screen.queryByRole("combobox", { name: mode })).toBeNull();
		choose(agent, /^opencode/);
		expect(screen.getByRole("combobox", { name: mode }).textContent).toMatch(/^(Agent|代理)$/);
		choose(agent, /^GitHub Copilot/);
		expect(screen.queryByText(/modes or efforts|思考強度/)).toBeNull();
		cleanup();
	}
});

test("[PG720] before the first prompt both stand beside the agent, and what was chosen is kept until another agent is", () => {
	vi.stubGlobal("fetch", async () => Response.json({ models: [], default: "", state: "listed" }));
	let chosen: unknown;
	function Spy() {
		chosen = useUi((state) => state.newSetting);
		return null;
	}
	renderInPage(
		page("copilot"),
		<>
			<Spy />
			<AgentPicker />
			<AgentOptions />
		</>,
	);
	expect(screen.queryByRole("combobox", { name: "Mode" })).toBeNull();
	choose("Agent", /^opencode/);
	choose("Mode", /^Plan$/);
	choose("Effort", /^High$/);
	expect([chosen, screen.getByRole("combobox", { name: "Mode" }).textContent]).toEqual([{ mode: "plan", effort: "high" }, "Plan"]);
	choose("Agent", /^GitHub Copilot/);
	expect([chosen, screen.queryByRole("combobox", { name: "Mode" })]).toEqual([undefined, null]);
});

test("[PG1023] Copilot's mode is chosen beside the model like any agent's, and with /mode", () => {
	const choices = {
		modes: [
			{ id: "agent", name: "Agent" },
			{ id: "autopilot", name: "Autopilot" },
		],
		efforts: [{ id: "high", name: "High" }],
	};
	const agents = TEST_AGENTS.map((agent) => (agent.kind === "copilot" ? { ...agent, ...choices } : agent));
	renderInPage(createTestPage({ state: { agents: { agents, default: "copilot" } } }), <AgentOptions />);
	fireEvent.click(screen.getByRole("combobox", { name: "Mode" }));
	expect(screen.getByRole("option", { name: "Autopilot Goes on by itself until the task is done" })).toBeTruthy();
	fireEvent.click(screen.getByRole("combobox", { name: "Mode" }));
	choose("Mode", /Autopilot/);
	expect(screen.getByRole("combobox", { name: "Mode" }).textContent).toContain("Autopilot");
	for (const name of ["mode", "effort"]) expect(SLASH_COMMANDS.find(({ slash }) => slash.name === name)?.slash.argument).toBe("required");
});

test("[PG1024] of the efforts those are offered that the model has, with the one that is chosen; /mode and /effort do not undo each other", () => {
	const named = (id: string) => ({ id, name: id });
	const agents = TEST_AGENTS.map((agent) => (agent.kind === "copilot" ? { ...agent, efforts: ["low", "high", "max"].map(named) } : agent));
	const models = [
		{ ...named("thinker"), efforts: ["low", "high"] },
		{ ...named("plain"), reasoning: false },
	];
	const open = (model: string, effort: string) => {
		const conversation = { ...testConversation({ id: "c1" }), model, effort };
		const state = {
			agents: { agents, default: "copilot" },
			models: { models, default: "thinker" },
			openId: "c1",
			conversations: { c1: conversation },
		};
		renderInPage(createTestPage({ state }), <AgentOptions />);
		const box = screen.queryByRole("combobox", { name: "Effort" });
		if (box !== null) fireEvent.click(box);
		const offered = screen.queryAllByRole("option").map(({ textContent }) => textContent);
		cleanup();
		return offered;
	};
	expect([open("thinker", "low"), open("thinker", "max"), open("plain", ""), open("unknown", "low")]).toEqual([
		["low", "high"],
		["low", "high", "max"],
		[],
		["low", "high", "max"],
	]);
	const kept: object[] = [];
	const ui = { newSetting: { mode: "plan" }, set: (patch: object) => void kept.push(patch) };
	const effort = SLASH_COMMANDS.find(({ slash }) => slash.name === "effort");
	effort?.run({ ui, argument: "high", conversationId: undefined } as unknown as Parameters<typeof effort.run>[0]);
	expect(kept).toEqual([{ newSetting: { mode: "plan", effort: "high" } }]);
});
