// @vitest-environment happy-dom
import { act, cleanup, fireEvent, screen, waitFor } from "@testing-library/react";
import { useState } from "react";
import { afterEach, expect, test, vi } from "vitest";
import { useRunCommand } from "../commands/use-commands.ts";
import { ModelPicker } from "../model/model-picker.tsx";
import { Sidebar } from "../sidebar/sidebar.tsx";
import { createTestPage, renderInPage } from "../testing/test-page.tsx";
import { createPageEvents } from "./page-events.ts";

afterEach(() => {
	cleanup();
	vi.unstubAllGlobals();
});

test("[PG262] a request that nobody hears waits for the next listener, once, and only the newest one", () => {
	const { search } = createPageEvents();
	const heard: string[] = [];
	search.emit("older");
	search.emit("newer");
	search.listen((query) => heard.push(`first: ${query}`))();
	search.listen((query) => heard.push(`second: ${query}`));
	search.emit("again");
	expect(heard).toEqual(["first: newer", "second: again"]);
});

test("[PG262] what would come as a surprise later is not kept", () => {
	const { chooseModel, deleteConversation } = createPageEvents();
	const heard: unknown[] = [];
	chooseModel.emit();
	deleteConversation.emit("c1");
	chooseModel.listen(() => heard.push("model"));
	deleteConversation.listen((id) => heard.push(id));
	expect(heard).toEqual([]);
});

test("[PG262] a search reaches a list that was hidden, and does not come back when the list is opened again", async () => {
	vi.stubGlobal("fetch", async () => Response.json({ results: [] }));
	renderInPage(createTestPage(), <Hideable />);
	fireEvent.click(screen.getByText("search for build"));
	fireEvent.click(screen.getByText("toggle"));
	const box = () => screen.getByRole<HTMLInputElement>("searchbox");
	await waitFor(() => expect(box().value).toBe("build"));
	fireEvent.click(screen.getByText("toggle"));
	fireEvent.click(screen.getByText("toggle"));
	expect(box().value).toBe("");
});

test("[PG262] the list of models opens when it is asked for, not again when the picker comes back", () => {
	const models = { models: [{ id: "m1", name: "One" }], default: "m1" };
	renderInPage(createTestPage({ state: { models } }), <Hideable />);
	fireEvent.click(screen.getByText("toggle"));
	act(() => fireEvent.click(screen.getByText("choose model")));
	expect(screen.getAllByRole("option")).toHaveLength(1);
	fireEvent.click(screen.getByText("toggle"));
	fireEvent.click(screen.getByText("toggle"));
	expect(screen.queryAllByRole("option")).toHaveLength(0);
});

/** Two listeners that come and go. */
function Hideable() {
	const run = useRunCommand();
	const [shown, setShown] = useState(false);
	return (
		<>
			<button type="button" onClick={() => setShown(!shown)}>
				toggle
			</button>
			<button type="button" onClick={() => run("search", { by: "palette", argument: "build" })}>
				search for build
			</button>
			<button type="button" onClick={() => run("model", { by: "keys" })}>
				choose model
			</button>
			{shown && <Sidebar />}
			{shown && <ModelPicker />}
		</>
	);
}
