// @vitest-environment happy-dom
import type { PlanEntry, ToolRecord } from "@rightseat/protocol/model/turn";
import { cleanup, fireEvent, screen, within } from "@testing-library/react";
import { afterEach, expect, test } from "vitest";
import { createTestPage, renderInPage } from "../../testing/test-page.tsx";
import { AnswerFooter } from "./answer-footer.tsx";
import { Plan } from "./plan.tsx";
import { SubAgentCard } from "./sub-agent-card.tsx";
import { ToolCard } from "./tool-card.tsx";

afterEach(cleanup);

const card = (tool: Partial<ToolRecord>) => (
	<ToolCard
		conversationId="c1"
		messageId="m1"
		live={false}
		cwd="/w"
		tool={{ toolCallId: "t1", toolName: "edit", arguments: {}, success: true, ...tool }}
	/>
);

test("[PG409] an agent's plan is a list that says what is done, in progress and to do, and follows its changes", () => {
	const entries: PlanEntry[] = [
		{ content: "Look", status: "completed" },
		{ content: "Mend", status: "in_progress" },
		{ content: "Test", status: "pending" },
	];
	const page = createTestPage();
	renderInPage(page, <Plan entries={entries} live />);
	const steps = () => within(screen.getByRole("list", { name: "Plan" })).getAllByRole("listitem");
	expect(steps().map((step) => step.textContent)).toEqual(["Look (done)", "Mend (in progress)", "Test (to do)"]);
	expect(screen.getByText("1 of 3 done")).toBeTruthy();
	cleanup();
	renderInPage(page, <Plan entries={entries.map((entry) => ({ ...entry, status: "completed" as const }))} live={false} />);
	expect(screen.getByText("3 of 3 done").closest("details")?.open).toBe(false);
});

test("[PG1040] a sub-agent is one line with its name, model, tokens, time and last words; opened, its own stream and calls", () => {
	const page = createTestPage();
	const tool: ToolRecord = {
		toolCallId: "t9",
		toolName: "view",
		arguments: { path: "/w/a.txt" },
		success: true,
		agentId: "a1",
		parentToolCallId: "task-1",
	};
	const parts = [
		{ kind: "text" as const, messageId: "s1", content: "First.\nThree files use it." },
		{ kind: "tool" as const, toolCallId: "t9" },
	];
	const agent = {
		agentId: "a1",
		toolCallId: "task-1",
		name: "scout",
		state: "completed" as const,
		model: "small",
		tokens: 30,
		durationMs: 2_000,
		parts,
	};
	renderInPage(page, <SubAgentCard conversationId="c1" messageId="m1" live={false} cwd="/w" tools={[tool]} agent={agent} />);
	const line = screen.getByText("scout").closest("summary");
	expect(line?.textContent).toBe("scoutThree files use it.small · 30 tokens · 2.0 s · finished");
	expect(screen.queryByText("a.txt")).toBeNull();
	fireEvent(screen.getByText("scout"), new MouseEvent("click", { bubbles: true }));
	const details = line?.closest("details");
	if (details instanceof HTMLDetailsElement && !details.open) {
		details.open = true;
		fireEvent(details, new Event("toggle"));
	}
	expect(screen.getByText("a.txt")).toBeTruthy();
});

test("[PG1046] a sub-agent at work has a button that stops it alone, beside its line; one that has ended has none", () => {
	const page = createTestPage();
	const agent = { agentId: "a1", toolCallId: "task-1", name: "scout", state: "started" as const, parts: [] };
	const place = { conversationId: "c1", messageId: "m1", cwd: "/w", tools: [] };
	renderInPage(page, <SubAgentCard {...place} live agent={agent} />);
	const button = screen.getByRole("button", { name: "Stop sub-agent scout" });
	expect(button.closest("summary")).toBeNull();
	fireEvent.click(button);
	expect(page.sent).toEqual([{ type: "copilot:subagent_stop", data: { conversationId: "c1", agentId: "a1" } }]);
	cleanup();
	renderInPage(page, <SubAgentCard {...place} live agent={{ ...agent, state: "completed", cancelled: true }} />);
	renderInPage(page, <SubAgentCard {...place} live={false} agent={agent} />);
	expect(screen.queryByRole("button")).toBeNull();
});

test("[PG410] the changes that an agent names are shown as a diff, a new file as one, and never from what was cut", () => {
	const page = createTestPage();
	renderInPage(page, card({ diffs: [{ path: "/w/a.txt", oldText: "one\ntwo\n", newText: "one\nthree\n" }] }));
	expect(screen.getByRole("region", { name: "/w/a.txt" }).textContent).toBe("  one\n− two\n+ three\n");
	cleanup();
	renderInPage(page, card({ diffs: [{ path: "/w/a.txt", oldText: "one\n", newText: "one\n" }] }));
	expect(screen.queryByRole("region")).toBeNull();
	cleanup();
	renderInPage(page, card({ diffs: [{ path: "/w/b.txt", newText: "new\n" }], truncated: { diffs: 9_000 } }));
	expect(screen.queryByRole("region")).toBeNull();
});

test("[PG411] the card of a command says when it ran in the agent's own shell", () => {
	const page = createTestPage();
	renderInPage(page, card({ toolName: "bash", arguments: { command: "ls" }, shell: "agent" }));
	expect(screen.getByText("in the agent’s own shell")).toBeTruthy();
	cleanup();
	renderInPage(page, card({ toolName: "bash", arguments: { command: "ls" } }));
	expect(screen.queryByText("in the agent’s own shell")).toBeNull();
});

test("[PG890] below an answer stand its tokens, and nothing where the agent counted none", () => {
	const page = createTestPage();
	const footer = (inputTokens: number, outputTokens: number) => (
		<AnswerFooter
			conversationId="c1"
			partial={false}
			message={{
				...{ id: "m1", role: "assistant", content: "Hi", createdAt: "2026-01-01T00:00:00.000Z" },
				metadata: { outcome: "completed", tools: [], parts: [], usage: { inputTokens, outputTokens, model: "m", contextTokens: 9 } },
			}}
		/>
	);
	renderInPage(page, footer(10, 5));
	expect(screen.getByText("10 in, 5 out")).toBeTruthy();
	cleanup();
	renderInPage(page, footer(0, 0));
	expect(screen.queryByText(/ in, /)).toBeNull();
});
