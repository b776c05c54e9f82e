import { afterEach, expect, test } from "vitest";
import { MAX_DIFF_BYTES } from "../../../packages/server/src/channels/telegram/commands/change-buttons.ts";
import { AppError } from "../../../packages/server/src/core/kernel/errors.ts";
import type { AuditRecord } from "../../../packages/server/src/core/ports/audit.ts";
import { heardAudit } from "../../support/audit.ts";
import { aChange } from "../../support/scripted-tracker.ts";
import { createTelegramBed, type TelegramBed } from "./telegram-harness.ts";

let bed: TelegramBed;
afterEach(() => bed.close());

const FILES = [
	{ path: "a.ts", result: "restored" as const },
	{ path: "b.ts", result: "merged" as const },
	{ path: "c.ts", result: "skipped" as const, reason: "same-lines" },
];
type Options = Parameters<typeof createTelegramBed>[0];

/** An answer that changed three files, as the chat shows it. */
async function answered(options: Options = {}, change: object = { files: 3, added: 40, removed: 12 }) {
	bed = await createTelegramBed(options);
	bed.tracker.answer = () => change;
	bed.tracker.undoes = ({ newChangeId, kind }) => ({ files: FILES, change: aChange({ id: newChangeId, kind }), undoes: [] });
	const turn = await bed.ask("go");
	turn.text("Done.");
	turn.end();
	await bed.tick();
	return bed.last();
}
const done = () => bed.tracker.undos.filter(({ preview }) => preview !== true);
const documents = () => bed.said().filter(({ media }) => media?.kind === "document");

test("[TG370] an answer that changed files says so in a line, with buttons; one that changed nothing has neither", async () => {
	const answer = await answered({}, { files: 3, added: 40, removed: 12, notCovered: 2 });
	expect(answer.text).toBe("Done.\n\n📝 3 files +40 −12 · ⚠️ 2 paths not recorded");
	expect(answer.buttons.flat().map(({ text }) => text)).toEqual(["📄 Diff", "↩ Undo…"]);
	bed.tracker.answer = () => undefined;
	const turn = await bed.ask("again");
	turn.text("Nothing to do.");
	turn.end();
	await bed.tick();
	expect(bed.last()).toMatchObject({ text: "Nothing to do.", buttons: [] });
});

test("[TG370] in Chinese, and under an answer that comes as a file", async () => {
	bed = await createTelegramBed({ config: { language: "zh-Hant" } });
	bed.tracker.answer = () => ({ files: 1, added: 2, removed: 0 });
	const turn = await bed.ask("go");
	turn.text("long line\n".repeat(5_000));
	turn.end();
	await bed.tick();
	const [preview, file] = bed.said().slice(-2);
	expect(preview?.buttons.flat().map(({ text }) => text)).toEqual(["📄 差異", "↩ 復原…"]);
	expect(file?.media).toMatchObject({ kind: "document" });
	expect(JSON.stringify(file)).toContain("1 個檔案 +2 −0");
});

test("[TG371] Diff sends a bounded file, once, however often it is tapped", async () => {
	const answer = await answered();
	bed.tracker.diff = async () => Buffer.from("--- a/a.ts\n+++ b/a.ts\n".repeat(MAX_DIFF_BYTES / 10));
	bed.ann.tap(answer, "📄 Diff");
	const tap = bed.ann.tap(answer, "📄 Diff");
	await bed.until(() => bed.api.callbackAnswer(tap), "the second answer");
	await bed.tick();
	expect(documents()).toHaveLength(1);
	expect(documents()[0]?.media).toMatchObject({ kind: "document", filename: "changes.diff" });
	expect(JSON.stringify(documents()[0])).toContain("Only the first 1 MB");
});

test("[TG372] Undo says first what it would do, does it once when that is confirmed, and can be brought back; the audit log knows who", async () => {
	const records: AuditRecord[] = [];
	const answer = await answered({ audit: heardAudit((entry) => void records.push(entry)) });
	bed.ann.tap(answer, "↩ Undo…");
	const again = bed.ann.tap(answer, "↩ Undo…");
	await bed.until(() => bed.api.callbackAnswer(again), "both previews");
	await bed.tick();
	const previews = bed.said().filter(({ text }) => text.startsWith("Undo would do this:"));
	expect(previews.map(({ text }) => text)).toEqual([
		"Undo would do this:\n↩ a.ts\n⇄ b.ts: merged with what was edited since\n– c.ts: the same lines were edited since",
	]);
	expect(done()).toEqual([]);
	const [preview] = previews;
	if (preview === undefined) throw new Error("There is no preview.");
	expect(preview.buttons.flat().map(({ text }) => text)).toEqual(["↩ Undo 2 files"]);
	const data = preview.buttons[0]?.[0]?.callbackData ?? "";
	const taps = [bed.ann.press(preview, data), bed.ann.press(preview, data)];
	await bed.until(() => taps.every((tap) => bed.api.callbackAnswer(tap) !== undefined), "both taps");
	await bed.tick();
	expect(bed.last().text).toMatch(/^↩ Undone\.\n↩ a\.ts\n/);
	expect(bed.said().filter(({ text }) => text.startsWith("↩ Undone."))).toHaveLength(done().length);
	expect(records.filter(({ kind }) => kind === "undo")[0]?.source).toMatch(/^telegram Ann/);
	bed.ann.tap(bed.last(), "↪ Bring back");
	await bed.until(() => done().some(({ kind }) => kind === "redo"), "the redo");
	await bed.tick();
	expect(bed.last().text).toMatch(/^↪ Brought back\./);
});

test("[TG372] two taps at the same moment are one undo", async () => {
	const answer = await answered();
	bed.ann.tap(answer, "↩ Undo…");
	await bed.until(() => bed.last().text.startsWith("Undo would"), "the preview");
	const preview = bed.last();
	let go: () => void = () => undefined;
	const held = new Promise<void>((resolve) => {
		go = resolve;
	});
	const { undo } = bed.tracker;
	bed.tracker.undo = async (request) => {
		await held;
		return undo(request);
	};
	const data = preview.buttons[0]?.[0]?.callbackData ?? "";
	const taps = [bed.ann.press(preview, data), bed.ann.press(preview, data)];
	await bed.tick();
	go();
	await bed.until(() => taps.every((tap) => bed.api.callbackAnswer(tap) !== undefined), "both taps");
	await bed.tick();
	expect(done()).toHaveLength(1);
	expect(bed.said().filter(({ text }) => text.startsWith("↩ Undone."))).toHaveLength(1);
});

test("[TG373] a recorder that does not answer is said in words, and nothing is done", async () => {
	const answer = await answered();
	bed.tracker.undo = () =>
		Promise.reject(new AppError("changes-unavailable", "The recorder of changes does not answer.", { retryable: true }));
	bed.tracker.diff = async () => undefined;
	const undo = bed.ann.tap(answer, "↩ Undo…");
	const diff = bed.ann.tap(answer, "📄 Diff");
	await bed.until(() => bed.api.callbackAnswer(undo) !== undefined && bed.api.callbackAnswer(diff) !== undefined, "the answers");
	expect(bed.api.callbackAnswer(undo)).toMatchObject({ alert: true, text: expect.stringContaining("does not answer") });
	expect(bed.api.callbackAnswer(diff)).toMatchObject({ alert: true, text: expect.stringContaining("no such change") });
	expect(documents()).toEqual([]);
});
