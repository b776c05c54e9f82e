// @vitest-environment happy-dom
import { act, cleanup, fireEvent, screen, waitFor, within } from "@testing-library/react";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { openReview, testChange, testFile, testHunk } from "../testing/review-server.tsx";
import { FIRST_LINES } from "./file-diff.tsx";

beforeEach(() => {
	// Everything is in sight.
	vi.stubGlobal(
		"IntersectionObserver",
		class {
			constructor(private readonly heard: (entries: { isIntersecting: boolean; target: Element }[]) => void) {}
			observe(target: Element) {
				this.heard([{ isIntersecting: true, target }]);
			}
			unobserve = () => undefined;
			disconnect = () => undefined;
		},
	);
});
afterEach(() => {
	cleanup();
	localStorage.clear();
	vi.unstubAllGlobals();
});

const ONE = { change: testChange("conversation", { kind: "conversation" }), files: [testFile("src/a.ts")], notCovered: [] };
const oneFile = () =>
	openReview({
		changes: [testChange("t1")],
		detail: { conversation: ONE, t1: { ...ONE, change: testChange("t1") } },
		hunks: { "src/a.ts": { file: testFile("src/a.ts"), hunks: [testHunk("const a = 1;", "const a = 2;")] } },
		content: { "conversation/src/a.ts/after": "first\nconst a = 2;\nlast\n" },
	});
const table = () => screen.findByRole("table", { name: "src/a.ts" });
const rowOf = async (text: string) => {
	const row = within(await table())
		.getAllByRole("row")
		.find(({ textContent }) => textContent?.includes(text));
	if (row === undefined) throw new Error(`No row has ${text}.`);
	return row;
};
const press = (key: string, more: object = {}) => fireEvent.keyDown(document.activeElement ?? document.body, { key, ...more });

test("[PG503] a diff is a table with sign, numbers and the words added and removed", async () => {
	oneFile();
	const added = await rowOf("2;");
	expect(within(await table()).getAllByRole("row")).toHaveLength(5);
	expect(within(added).getByRole("rowheader", { name: "added 2" }).textContent).toBe("  2 +");
	expect(within(await rowOf("1;")).getByRole("rowheader", { name: "removed 2" }).textContent).toBe("2   −");
	// The part of the line that differs, and nothing else.
	expect(added.querySelector(".rv-word")?.textContent).toBe("2");
});

test("[PG504] one tab stop for a file: arrows, j and k walk the lines, n and p the hunks", async () => {
	oneFile();
	await table();
	const head = screen.getByRole("button", { name: /src\/a\.ts/ });
	const stops = [...document.querySelectorAll<HTMLElement>(".rv-file *")].filter((element) => element.tabIndex === 0);
	expect(stops).toEqual([head]);
	act(() => head.focus());
	press("n");
	expect(document.activeElement?.textContent).toContain("@@ −1,3 +1,3 @@");
	press("j");
	press("ArrowDown");
	expect(document.activeElement).toBe(await rowOf("1;"));
	press("p");
	press("k");
	expect(document.activeElement).toBe(head);
});

test("[PG505] what changed nothing says what will be here, and what is not covered is named with its reason", async () => {
	const { server, page } = openReview({ detail: { conversation: { ...ONE, files: [] } } });
	await screen.findByText("Nothing has changed here yet");
	server.detail = {
		conversation: {
			...ONE,
			files: [],
			notCovered: [
				{ path: "big.iso", reason: "too-large" },
				{ path: "x", reason: "new-code" },
			],
		},
	};
	page.receive({
		type: "copilot:changes",
		data: { conversationId: "c1", epoch: "e1", seq: 1, changeId: "t2", kind: "turn", files: 0, added: 0, removed: 0, notCovered: 2 },
	});
	const note = (await screen.findByText(/2 paths are not covered/)).closest("details");
	expect([...(note?.querySelectorAll("li") ?? [])].map(({ textContent }) => textContent)).toEqual([
		"big.iso — larger than 5 MB",
		"x — new-code",
	]);
});

test("[PG506] binary files are named, pictures shown before and after, and of a long diff the beginning", async () => {
	const long = Array.from({ length: FIRST_LINES + 500 }, (_, index) => ({
		kind: "+" as const,
		text: `line ${index}`,
		newNumber: index + 1,
	}));
	const files = [
		testFile("data.bin", { binary: true }),
		testFile("logo.png", { binary: true }),
		testFile("new.png", { binary: true, status: "added" }),
		testFile("long.txt", { status: "added" }),
	];
	const hunk = { id: "h", oldStart: 0, oldLines: 0, newStart: 1, newLines: long.length, lines: long };
	openReview({
		detail: { conversation: { ...ONE, files } },
		hunks: { "long.txt": { file: testFile("long.txt"), hunks: [hunk], truncated: 7 } },
	});
	await screen.findByText("This is not a text file.");
	expect(screen.getAllByRole("img").map((image) => image.getAttribute("alt"))).toEqual([
		"Before: logo.png",
		"After: logo.png",
		"After: new.png",
	]);
	const rows = () => screen.getByRole("table", { name: "long.txt" }).querySelectorAll("tr").length;
	const all = await screen.findByRole("button", { name: "Show all 2,500 lines" });
	expect(rows()).toBe(FIRST_LINES + 1);
	fireEvent.click(all);
	expect(rows()).toBe(FIRST_LINES + 501);
	await screen.findByText("7 more lines are not shown.");
});

test("[PG507] side by side and without white space, remembered on this device", async () => {
	const { server } = oneFile();
	await table();
	fireEvent.click(screen.getByRole("button", { name: "Options" }));
	fireEvent.click(screen.getByRole("menuitemradio", { name: "Ignore white space" }));
	await waitFor(() => expect(server.asked).toContain("/conversation/hunks?path=src%2Fa.ts&whitespace=ignore"));
	expect(JSON.parse(localStorage.getItem("rightseat:review") ?? "")).toMatchObject({ ignoreWhitespace: true });
});

test("[PG533] a comment is written on a line, counted, kept, and sent with the others as one prompt", async () => {
	const { page } = oneFile();
	(await rowOf("2;")).focus();
	press("c");
	const box = await screen.findByRole("textbox", { name: "Comment on line 2 of src/a.ts" });
	fireEvent.change(box, { target: { value: "Why two?" } });
	fireEvent.click(screen.getByRole("button", { name: "Add comment" }));
	await screen.findByText("1 comment");
	expect(document.activeElement).toBe(await rowOf("2;"));
	fireEvent.click(within(await rowOf("last")).getByRole("rowheader"));
	fireEvent.change(await screen.findByRole("textbox", { name: "Comment on line 3 of src/a.ts" }), { target: { value: "And this?" } });
	press("Enter", { ctrlKey: true });
	await screen.findByText("2 comments");
	fireEvent.click(screen.getByRole("button", { name: "Send to the agent" }));
	await waitFor(() => expect(screen.queryByText("2 comments")).toBeNull());
	const [sent] = page.sent.filter(({ type }) => type === "copilot:send");
	expect(sent).toMatchObject({
		data: {
			conversationId: "c1",
			prompt:
				"Please address these 2 comments on the changes:\n\n1. src/a.ts, line 2\n```ts\nconst a = 2;\n```\nWhy two?\n\n2. src/a.ts, line 3\n```ts\nlast\n```\nAnd this?",
		},
	});
	expect(localStorage.getItem("rightseat:comments")).toBe("{}");
});

test("[PG746] comments that are discarded can be brought back, before what was written since", async () => {
	oneFile();
	const write = async (line: string, text: string) => {
		fireEvent.click(within(await rowOf(line)).getByRole("rowheader"));
		fireEvent.change(await screen.findByRole("textbox", { name: /Comment on/ }), { target: { value: text } });
		press("Enter", { ctrlKey: true });
	};
	await write("2;", "Why two?");
	await screen.findByText("1 comment");
	fireEvent.click(screen.getByRole("button", { name: "Discard all" }));
	await waitFor(() => expect(screen.queryByText("1 comment")).toBeNull());
	await write("last", "And this?");
	fireEvent.click(screen.getByRole("button", { name: "Undo" }));
	fireEvent.click(await screen.findByRole("button", { name: "2 comments" }));
	const list = screen.getByRole("list", { name: "2 comments" });
	expect(
		within(list)
			.getAllByRole("listitem")
			.map(({ textContent }) => textContent),
	).toEqual([expect.stringContaining("Why two?"), expect.stringContaining("And this?")]);
});

test("[PG534] a comment whose lines moved on is marked, and still sent with its lines as they were", async () => {
	const { server, page } = oneFile();
	(await rowOf("2;")).focus();
	press("c");
	fireEvent.change(await screen.findByRole("textbox", { name: /Comment on/ }), { target: { value: "Why two?" } });
	press("Enter", { ctrlKey: true });
	await screen.findByText("1 comment");
	expect(screen.queryByText("outdated")).toBeNull();
	server.content = { "conversation/src/a.ts/after": "first\nconst a = 3;\nlast\n" };
	page.receive({
		type: "copilot:changes",
		data: { conversationId: "c1", epoch: "e1", seq: 1, changeId: "t2", kind: "turn", files: 1, added: 1, removed: 1 },
	});
	await screen.findByText("outdated");
	fireEvent.click(screen.getByRole("button", { name: "Send to the agent" }));
	await waitFor(() => expect(JSON.stringify(page.sent)).toContain("These lines have changed since"));
	expect(JSON.stringify(page.sent)).toContain("const a = 2;");
});
