// @vitest-environment happy-dom
import { act, cleanup, fireEvent, screen, within } from "@testing-library/react";
import { afterEach, expect, test, vi } from "vitest";
import { LanguageProvider } from "../i18n/use-words.tsx";
import { useUi } from "../state/ui-slice.tsx";
import { createTestPage, renderInPage } from "../testing/test-page.tsx";
import { AgentPicker } from "./agent-picker.tsx";
import { AgentSelect } from "./agent-select.tsx";
import { TEST_AGENTS } from "./test-agents.ts";

afterEach(() => {
	cleanup();
	vi.unstubAllGlobals();
});

function show() {
	const chosen: string[] = [];
	const page = createTestPage();
	renderInPage(page, <AgentSelect agents={TEST_AGENTS} fallback="copilot" value="copilot" onChange={(id) => chosen.push(id)} />);
	const picker = screen.getByRole("combobox", { name: "Agent" });
	fireEvent.click(picker);
	const option = (name: RegExp) => within(screen.getByRole("listbox", { name: "Agent" })).getByRole("option", { name });
	return { chosen, page, picker, option };
}

test("[PG400] the agent is a combobox that says of each one how it stands, which version, who pays and what it cannot do", () => {
	const { option, picker, chosen } = show();
	expect(option(/^opencode/).textContent).toBe(
		"opencode1.18.33starts with the first message · Paid as you set it up in opencodeCannot: take a message into a running turn (it waits in the queue); see pictures",
	);
	expect(option(/^Codex/).textContent).toContain("not logged in · Paid through your OpenAI account or key");
	expect(option(/^GitHub Copilot/).textContent).toContain("ready · default");
	fireEvent.keyDown(picker, { key: "ArrowDown" });
	fireEvent.keyDown(picker, { key: "Enter" });
	expect([chosen, picker.getAttribute("aria-expanded")]).toEqual([["opencode"], "false"]);
});

test("[PG401] an agent that is not installed is not taken: the command is shown, never run, and one can look again", async () => {
	const asked: string[] = [];
	vi.stubGlobal("fetch", (address: string) => {
		asked.push(address);
		return Promise.resolve(Response.json({ agents: TEST_AGENTS, default: "copilot" }));
	});
	const { option, picker, chosen } = show();
	fireEvent.click(option(/^Claude Code/));
	expect([chosen, picker.getAttribute("aria-expanded")]).toEqual([[], "true"]);
	expect(screen.getByText("npm install -g claude-adapter")).toBeTruthy();
	expect(screen.getByRole("button", { name: "Copy the command" })).toBeTruthy();
	await act(async () => fireEvent.click(screen.getByRole("button", { name: "Look again" })));
	expect(asked).toEqual(["/api/agents"]);
});

test("[PG484] Escape in what stands below the list closes the list and gives the focus back, and a dialog around it does not hear of it", () => {
	const { option, picker } = show();
	fireEvent.click(option(/^Claude Code/));
	const copy = screen.getByRole("button", { name: "Copy the command" });
	copy.focus();
	const wasTaken = !fireEvent.keyDown(copy, { key: "Escape" });
	expect([wasTaken, picker.getAttribute("aria-expanded"), document.activeElement]).toEqual([true, "false", picker]);
});

test("[PG402] Log in opens the terminal and hands it the command", () => {
	let text: string | undefined;
	function Spy() {
		text = useUi((state) => state.terminalText);
		return null;
	}
	const page = createTestPage();
	const chosen: string[] = [];
	renderInPage(
		page,
		<>
			<Spy />
			<AgentSelect agents={TEST_AGENTS} fallback="copilot" value="copilot" onChange={(id) => chosen.push(id)} />
		</>,
	);
	fireEvent.click(screen.getByRole("combobox", { name: "Agent" }));
	fireEvent.click(screen.getByRole("option", { name: /^Codex/ }));
	expect(chosen).toEqual(["codex"]);
	fireEvent.click(screen.getByRole("button", { name: "Log in" }));
	expect([page.store.getState().panel, text, page.sent]).toEqual(["terminal", "codex login", []]);
});

test("[PG403] with Copilot alone there is nothing to choose, and with more the choice is offered, in both languages", () => {
	const pageWith = (agents: typeof TEST_AGENTS) => createTestPage({ state: { agents: { agents, default: "copilot" } } });
	renderInPage(pageWith(TEST_AGENTS.slice(0, 1)), <AgentPicker />);
	expect(screen.queryByRole("combobox")).toBeNull();
	cleanup();
	renderInPage(
		pageWith(TEST_AGENTS),
		<LanguageProvider language="zh-Hant">
			<AgentPicker />
		</LanguageProvider>,
	);
	fireEvent.click(screen.getByRole("combobox", { name: "代理" }));
	expect(screen.getByRole("option", { name: /^Claude Code/ }).textContent).toContain("尚未安裝");
});
