// @vitest-environment happy-dom
import { cleanup, fireEvent, screen, within } from "@testing-library/react";
import { afterEach, expect, test } from "vitest";
import { LanguageProvider } from "../i18n/use-words.tsx";
import { createTestPage, renderInPage } from "../testing/test-page.tsx";
import { ModelSelect } from "./model-select.tsx";

afterEach(cleanup);

const models = [
	{ id: "demo", name: "Demo pilot (no real model)", demo: true },
	{ id: "big", name: "Big model", vision: true, reasoning: true, contextLimit: 128_000 },
];

test("[PG79] the model picker is a combobox named Model that says what each model can do and works by keyboard", () => {
	const chosen: string[] = [];
	renderInPage(createTestPage(), <ModelSelect models={models} fallback="demo" value="demo" onChange={(id) => chosen.push(id)} />);
	const picker = screen.getByRole("combobox", { name: "Model" });
	expect(picker.textContent).toContain("Demo pilot");
	fireEvent.keyDown(picker, { key: "ArrowDown" });
	const options = within(screen.getByRole("listbox", { name: "Model" })).getAllByRole("option");
	expect(options.map((option) => option.textContent)).toEqual([
		"Demo pilot (no real model)demo · default",
		"Big modelimages · reasoning · 128k context",
	]);
	expect(screen.getByRole("button", { name: "Connect a real model" })).toBeTruthy();
	fireEvent.keyDown(picker, { key: "ArrowDown" });
	fireEvent.keyDown(picker, { key: "Enter" });
	expect([chosen, picker.getAttribute("aria-expanded")]).toEqual([["big"], "false"]);
});

test("[PG356] the demo pilot is named in the page's language, every other model as its maker named it", () => {
	renderInPage(
		createTestPage(),
		<LanguageProvider language="zh-Hant">
			<ModelSelect models={models} fallback="demo" value="demo" onChange={() => undefined} />
		</LanguageProvider>,
	);
	const picker = screen.getByRole("combobox", { name: "模型" });
	expect(picker.textContent).toBe("示範駕駛（非真正的模型）");
	fireEvent.keyDown(picker, { key: "ArrowDown" });
	const options = within(screen.getByRole("listbox", { name: "模型" })).getAllByRole("option");
	expect(options.map((option) => option.textContent)).toEqual([
		"示範駕駛（非真正的模型）示範 · 預設",
		"Big model圖片 · 推理 · 128k 上下文",
	]);
});
