// @vitest-environment happy-dom
import { cleanup, fireEvent, screen } from "@testing-library/react";
import { afterEach, expect, test, vi } from "vitest";
import { SteerButton } from "../composer/box/steer-button.tsx";
import { ModelPicker } from "../model/model-picker.tsx";
import { testConversation } from "../sidebar/test-conversation.ts";
import { openModels } from "../state/agent.ts";
import { createTestPage, renderInPage } from "../testing/test-page.tsx";
import { AgentBadge } from "./agent-badge.tsx";
import { AgentOptions } from "./agent-options.tsx";
import { TEST_AGENTS } from "./test-agents.ts";
import { UnseenImages } from "./unseen-images.tsx";

afterEach(() => {
	cleanup();
	vi.unstubAllGlobals();
});

const pageWith = (agent: string) =>
	createTestPage({
		conversations: [testConversation({ agent, model: "" })],
		openId: "c1",
		state: { agents: { agents: TEST_AGENTS, default: "copilot" } },
	});

test("[PG404] the header names the conversation's agent, and tells on demand how it stands and what it cannot do", () => {
	renderInPage(pageWith("codex"), <AgentBadge />);
	const badge = screen.getByRole("button", { name: "Agent: Codex" });
	fireEvent.click(badge);
	expect(screen.getByText(/Cannot: work in the shell of this conversation/)).toBeTruthy();
	fireEvent.click(screen.getByRole("button", { name: "Log in" }));
	expect(screen.queryByText(/Cannot: work in the shell/)).toBeNull();
});

test("[PG405] where an agent cannot be steered the button says that the prompt waits", () => {
	renderInPage(pageWith("opencode"), <SteerButton onSteer={() => undefined} />);
	expect(screen.queryByRole("button", { name: "Steer" })).toBeNull();
	expect(screen.getByText("Waits in the queue").title).toContain("opencode takes nothing into a running turn");
	cleanup();
	renderInPage(pageWith("copilot"), <SteerButton onSteer={() => undefined} />);
	expect(screen.getByRole("button", { name: "Steer" })).toBeTruthy();
});

test("[PG406] pictures for an agent that cannot see them get a word before they are sent", () => {
	renderInPage(pageWith("opencode"), <UnseenImages />);
	expect(screen.getByRole("status").textContent).toContain("opencode cannot see pictures");
	cleanup();
	renderInPage(pageWith("codex"), <UnseenImages />);
	expect(screen.queryByRole("status")).toBeNull();
});

test("[PG723] of an agent that was never used nothing is said as if it were known: neither its limits nor whether it sees pictures", () => {
	const nothing = { resume: false, steer: false, models: false, images: false, sharedShell: false };
	for (const [untried, facts, pictures] of [
		[true, "Nothing is known of this agent until it has been used.", "Whether Codex sees pictures is known once it has been used."],
		[undefined, "Cannot: take a message into a running turn", "Codex cannot see pictures."],
	] as const) {
		const agents = TEST_AGENTS.map((agent) => (agent.id === "codex" ? { ...agent, capabilities: nothing, untried } : agent));
		const page = pageWith("codex");
		page.store.setState({ agents: { agents, default: "copilot" } });
		renderInPage(
			page,
			<>
				<AgentBadge />
				<UnseenImages />
			</>,
		);
		expect(screen.getByRole("status").textContent).toContain(pictures);
		fireEvent.click(screen.getByRole("button", { name: "Agent: Codex" }));
		expect(screen.getByText(facts, { exact: false })).toBeTruthy();
		cleanup();
	}
});

test("[PG407] the models are those of the conversation's agent; one that chooses by itself says so", async () => {
	const asked: string[] = [];
	vi.stubGlobal("fetch", (address: string) => {
		asked.push(address);
		return Promise.resolve(
			Response.json({
				models: [
					{ id: "", name: "The server's words for it" },
					{ id: "m", name: "Mine" },
				],
				default: "",
				state: "listed",
			}),
		);
	});
	const page = pageWith("opencode");
	renderInPage(page, <ModelPicker />);
	const picker = screen.getByRole("combobox", { name: "Model" });
	expect(picker.textContent).toBe("The agent’s choice");
	await vi.waitFor(() => expect(page.store.getState().agentModels.opencode?.models).toHaveLength(2));
	expect(asked).toEqual(["/api/copilot/models?agent=opencode"]);
	fireEvent.click(picker);
	expect(screen.getAllByRole("option").map((option) => option.textContent)).toEqual(["The agent’s choicedefault", "Mine"]);
});

test("[PG407] a model that is named in a command is one of the conversation's agent", () => {
	const page = pageWith("opencode");
	const copilots = { models: [{ id: "big", name: "Big" }], default: "big" };
	page.store.setState({ models: copilots, agentModels: { opencode: { models: [{ id: "m", name: "Mine" }], default: "" } } });
	expect(openModels(page.store.getState())?.models.map(({ id }) => id)).toEqual(["m"]);
	page.store.setState({ openId: undefined });
	expect(openModels(page.store.getState())).toBe(copilots);
});

test("[PG412] agents that cannot be asked for while offline make no message", async () => {
	vi.stubGlobal("fetch", () => Promise.reject(new TypeError("offline")));
	const page = createTestPage();
	await page.actions.loadAgents();
	expect([page.store.getState().toasts, page.store.getState().agents]).toEqual([[], undefined]);
});

test("[PG412] a change of an agent's state is shown without asking again, and its models are asked for anew", () => {
	const page = pageWith("codex");
	page.store.setState({ agentModels: { codex: { models: [], default: "" }, opencode: { models: [], default: "" } } });
	const agents = TEST_AGENTS.map((agent) => (agent.id === "codex" ? { ...agent, state: "ready" as const } : agent));
	page.receive({ type: "app:status", data: { runtime: {}, storage: {}, agents } });
	const { agents: known, agentModels } = page.store.getState();
	expect([known?.default, known?.agents.find(({ id }) => id === "codex")?.state]).toEqual(["copilot", "ready"]);
	expect(Object.keys(agentModels)).toEqual(["opencode"]);
});

test("[PG460] mode and effort are chosen beside the model where the agent offers them, and nothing is shown where it does not", async () => {
	const asked: [string, unknown][] = [];
	vi.stubGlobal("fetch", (address: string, { body }: RequestInit) => {
		asked.push([address, JSON.parse(String(body))]);
		return Promise.resolve(Response.json({ conversation: testConversation({ agent: "opencode", mode: "plan" }) }));
	});
	const page = pageWith("opencode");
	renderInPage(page, <AgentOptions />);
	expect(screen.queryByRole("combobox")).toBeNull();
	cleanup();
	const modes = [
		{ id: "agent", name: "Agent" },
		{ id: "plan", name: "Its plan" },
	];
	const agents = TEST_AGENTS.map((agent) =>
		agent.id === "opencode" ? { ...agent, modes, efforts: [{ id: "high", name: "High" }] } : agent,
	);
	page.store.setState({ agents: { agents, default: "copilot" } });
	renderInPage(page, <AgentOptions />);
	expect(screen.getAllByRole("combobox").map((box) => [box.getAttribute("aria-label"), box.textContent])).toEqual([
		["Mode", "Mode"],
		["Effort", "Effort"],
	]);
	fireEvent.click(screen.getByRole("combobox", { name: "Mode" }));
	fireEvent.click(screen.getByRole("option", { name: "Plan" }));
	await vi.waitFor(() => expect(asked).toEqual([["/api/conversations/c1", { mode: "plan" }]]));
	await vi.waitFor(() => expect(screen.getByRole("combobox", { name: "Mode" }).textContent).toBe("Plan"));
});
