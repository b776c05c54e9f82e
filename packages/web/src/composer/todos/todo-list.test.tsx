// @vitest-environment happy-dom
import type { Todo } from "@rightseat/protocol/model/todo";
import { act, cleanup, screen, within } from "@testing-library/react";
import { afterEach, beforeEach, expect, test } from "vitest";
import { emptyView } from "../../conversation/conversation-view.ts";
import { createTestPage, renderInPage } from "../../testing/test-page.tsx";
import { TodoList } from "./todo-list.tsx";

beforeEach(() => localStorage.clear());
afterEach(cleanup);

const todo = (id: string, status: Todo["status"]): Todo => ({ id, title: `Thing ${id}`, status });

test("[PG1033] the to-do list is one line with what is done now, opens to all of it, and goes when all is done and nothing runs", () => {
	const view = (items: Todo[], status: "streaming" | "completed" = "streaming", more?: number) => ({
		...{ ...emptyView("c1"), status },
		todos: more === undefined ? { items } : { items, more },
	});
	const page = createTestPage({ openId: "c1", state: { views: { c1: view([]) } } });
	renderInPage(page, <TodoList />);
	const show = (...shown: Parameters<typeof view>) => act(() => page.store.setState({ views: { c1: view(...shown) } }));
	expect(screen.queryByText("To-do list")).toBeNull();
	show([todo("1", "done"), todo("2", "in_progress"), todo("3", "blocked")], "streaming", 2);
	expect(screen.getByText("1 of 5")).toBeTruthy();
	const [line] = screen.getAllByText("Thing 2");
	expect(line?.closest("summary")).not.toBeNull();
	const items = within(screen.getByRole("list")).getAllByRole("listitem");
	expect(items.map(({ textContent }) => textContent)).toEqual(["done: Thing 1", "in progress: Thing 2", "blocked: Thing 3", "2 more"]);
	show([todo("1", "done")]);
	expect(screen.getByText("1 of 1")).toBeTruthy();
	show([todo("1", "done")], "completed");
	expect(screen.queryByText("1 of 1")).toBeNull();
});
