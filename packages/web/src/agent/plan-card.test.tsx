// @vitest-environment happy-dom
import { cleanup, fireEvent, screen } from "@testing-library/react";
import { afterEach, expect, test } from "vitest";
import { LanguageProvider } from "../i18n/use-words.tsx";
import { createTestPage, renderInPage } from "../testing/test-page.tsx";
import { SettledNote } from "../transcript/cards/settled-note.tsx";
import { PlanCard } from "./plan-card.tsx";

afterEach(cleanup);

const REQUEST = {
	requestId: "p1",
	summary: "Replace the **clock**",
	plan: "# Steps\n\n1. Make it a port",
	actions: ["autopilot", "interactive", "exit_only", "something_new"],
	expiresAt: new Date(Date.now() + 60_000).toISOString(),
};

function show() {
	const page = createTestPage();
	renderInPage(page, <PlanCard conversationId="c1" request={REQUEST} />);
	const press = (name: string) => fireEvent.click(screen.getByRole("button", { name }));
	const sent = () => page.sent.filter(({ type }) => type === "copilot:plan_response").map(({ data }) => data);
	return { page, press, sent };
}

test("[PG1020] a plan is a card with its Markdown, taken in a way that the agent offers, with the usual one first, or sent back with words", () => {
	const { press, sent } = show();
	expect(screen.getByRole("group", { name: "Plan" })).toBeTruthy();
	expect(screen.getByRole("heading", { name: "Steps" })).toBeTruthy();
	const names = screen.getAllByRole("button").map((button) => button.textContent);
	expect(names).toEqual(["Carry it out", "Carry it out on autopilot", "Take it, carry out later", "something_new", "Edit", "Send back"]);
	press("Carry it out");
	fireEvent.change(screen.getByRole("textbox", { name: "What to change" }), { target: { value: "Keep the old one" } });
	press("Send back");
	expect(sent()).toEqual([
		{ conversationId: "c1", requestId: "p1", approved: true, action: "interactive" },
		{ conversationId: "c1", requestId: "p1", approved: false, feedback: "Keep the old one" },
	]);
});

test("[PG1021] a plan can be changed before it is taken, and as it was until then; one that is too long cannot be taken", () => {
	const { press, sent } = show();
	press("Edit");
	const box = screen.getByRole("textbox", { name: /as it shall be/ });
	expect(box).toHaveProperty("value", REQUEST.plan);
	fireEvent.change(box, { target: { value: "# Better" } });
	press("Carry it out on autopilot");
	fireEvent.change(box, { target: { value: "x".repeat(40_000) } });
	expect(screen.getByRole("button", { name: "Carry it out" })).toHaveProperty("disabled", true);
	press("Undo my changes");
	press("Carry it out");
	expect(sent()).toMatchObject([{ action: "autopilot", plan: "# Better" }, { action: "interactive" }]);
	expect(sent()[1]).not.toHaveProperty("plan");
});

test("[PG1022] what became of a plan stands in its place in the answer, in the reader's language, with the plan to open", async () => {
	const ask = { requestId: "p1", kind: "plan" as const, text: "Replace it", afterParts: 0, outcome: "answered" as const };
	renderInPage(
		createTestPage(),
		<LanguageProvider language="zh-Hant">
			<SettledNote request={{ ...ask, approved: true, answer: "autopilot", plan: "# Steps" }} />
			<SettledNote request={{ ...ask, requestId: "p2", approved: false }} />
		</LanguageProvider>,
	);
	expect(screen.getByText(/採用，自動執行/)).toBeTruthy();
	expect(screen.getByText(/拒絕/)).toBeTruthy();
	expect(await screen.findAllByText("顯示計畫")).toHaveLength(2);
});
