import { afterAll, beforeAll, expect, test } from "vitest";
import { type PageHarness, PHONE, startPage } from "../../support/page-harness.ts";

let ui: PageHarness;
beforeAll(async () => {
	ui = await startPage({ pilot: "demo" });
	const { api } = ui.server();
	const { conversation } = await (await api("/api/conversations", { method: "POST", json: { title: "Rename the parser" } })).json();
	await api(`/api/conversations/${conversation.id}`, { method: "PATCH", json: { permissions: "ask" } });
	await api("/api/settings", { method: "PATCH", json: { permissions: "ask", notifyTurnEnd: false } });
	const socket = await ui.server().ws();
	socket.send({ type: "terminal:open", data: { terminalId: `t-${conversation.id}`, conversationId: conversation.id, cols: 80, rows: 24 } });
	await socket.next("terminal:opened");
	await socket.close();
});
afterAll(() => ui.close());

test.each([
	{ lang: "en", size: "a desk", names: { list: "Open conversation list", settings: "Settings", activity: "Activity" } },
	{ lang: "zh-TW", size: "a phone", names: { list: "開啟對話列表", settings: "設定", activity: "活動" } },
])("[PG475] Activity names conversations, modes and settings in words, on $size in $lang", async ({ lang, size, names }) => {
	const { page } = await ui.openPage(`/?lang=${lang}`, size === "a phone" ? PHONE : {});
	if (size === "a phone") await page.getByRole("button", { name: names.list }).click();
	await page.getByRole("button", { name: names.settings }).click();
	const dialog = page.getByRole("dialog");
	await dialog.getByRole("button", { name: names.activity, exact: true }).click();
	const lines = dialog.getByRole("list", { name: names.activity });
	await lines.getByText("Rename the parser").first().waitFor();
	const text = await lines.innerText();
	expect(text).toContain(
		lang === "en" ? "Every action is asked about · in Rename the parser" : "每個動作都先詢問 · 於「Rename the parser」",
	);
	expect(text).toContain(lang === "en" ? "Notify when a turn ends: off" : "回合結束時通知：關");
	expect(text).not.toMatch(/[0-9a-f]{8}-[0-9a-f]{4}|[{}"]|notifyTurnEnd/);
	expect(await lines.evaluate((list) => list.scrollWidth <= list.clientWidth)).toBe(true);
});
