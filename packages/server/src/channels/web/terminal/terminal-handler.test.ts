import { expect, test } from "vitest";
import { heardAudit } from "../../../../../../test/support/audit.ts";
import { AppError } from "../../../core/kernel/errors.ts";
import type { OutFrame } from "../ws/frames.ts";
import { createTerminalHandler } from "./terminal-handler.ts";
import { useTerminals } from "./terminal-harness.ts";
import { MAX_TERMINALS } from "./terminals.ts";

const bed = useTerminals();

function connect() {
	const sent: OutFrame[] = [];
	const audited: string[] = [];
	const handler = createTerminalHandler({
		terminals: bed.terminals(),
		outbound: {
			...{ send: () => undefined, deliver: () => undefined, behind: () => false, later: () => undefined },
			...{ offer: () => true, forget: () => undefined, waitingBytes: () => 0, close: () => undefined },
		},
		async cwdFor({ cwd }) {
			if (cwd === "/bad") throw new AppError("forbidden", "Not here.");
			return bed.home();
		},
		audit: { ...heardAudit(({ kind, detail = "" }) => void audited.push(`${kind} ${detail}`)), list: () => ({ entries: [] }) },
		source: "127.0.0.1",
	});
	const send = (frame: OutFrame) => void sent.push(frame);
	return {
		sent,
		audited,
		open: async (terminalId: string, cwd?: string) =>
			handler.handle({ type: "terminal:open", data: { terminalId, cols: 80, rows: 24, ...(cwd === undefined ? {} : { cwd }) } }, send),
		leave: () => handler.onDisconnect?.(send),
	};
}

test("[SE143] opening a terminal again attaches to it, whatever directory is named, and leaving lets it go", async () => {
	const page = connect();
	for (let i = 0; i < MAX_TERMINALS; i += 1) {
		await page.open(`t${i}`);
		await page.open(`t${i}`, "/bad");
	}
	expect(page.sent.filter((frame) => frame.type === "terminal:opened")).toHaveLength(2 * MAX_TERMINALS);
	page.leave();
	const next = connect();
	await next.open("one-more");
	expect(bed.terminals().has("one-more")).toBe(true);
	next.leave();
});

test("[SE245] one that never opened is neither kept nor written down", async () => {
	const page = connect();
	await expect(page.open("t1", "/bad")).rejects.toMatchObject({ code: "forbidden" });
	expect([bed.terminals().has("t1"), page.audited]).toEqual([false, []]);
	await page.open("t1");
	expect(page.audited).toEqual(["terminal t1"]);
	page.leave();
});
