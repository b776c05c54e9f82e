import { expect, test } from "vitest";
import { heardAudit } from "../../../../../test/support/audit.ts";
import { createCoreBed } from "../../../../../test/support/core.ts";
import { aChange } from "../../../../../test/support/scripted-tracker.ts";
import { AppError } from "../kernel/errors.ts";
import type { AuditRecord } from "../ports/audit.ts";
import { audited } from "./audited.ts";

async function auditedBed() {
	const bed = await createCoreBed();
	const records: AuditRecord[] = [];
	const conversations = audited(
		bed.conversations,
		heardAudit((entry) => void records.push(entry)),
	);
	return { bed, conversations, records, id: await bed.begin() };
}

test("[SE149] commands are written down once, with the channel and the person", async () => {
	const { bed, conversations, records, id } = await auditedBed();
	const request = { conversationId: id, command: "rm -r build", clientMessageId: "c1" };
	conversations.exec({ ...request, origin: "telegram", from: "Ann (7)" });
	conversations.exec({ ...request, origin: "telegram", from: "Ann (7)" });
	conversations.exec({ ...request, clientMessageId: "c2", origin: "web", from: "203.0.113.9" });
	expect(() => conversations.exec({ ...request, command: " ", clientMessageId: "c3", origin: "web" })).toThrow();
	expect(records).toEqual([
		{ kind: "command", source: "telegram Ann (7)", detail: "rm -r build" },
		{ kind: "command", source: "203.0.113.9", detail: "rm -r build" },
	]);
	await bed.close();
});

test("[SE672] what is run, allowed and answered is written down in the commit that stores it, with what a channel stores along, or neither is", async () => {
	const bed = await createCoreBed({ permissions: () => "ask" });
	const id = await bed.begin();
	const written: string[] = [];
	let isRefused = true;
	const conversations = audited(bed.conversations, {
		record: ({ kind }) => void written.push(`late ${kind}`),
		entry:
			({ kind }) =>
			() => {
				if (isRefused) throw new AppError("storage-read-only", "disk full");
				written.push(kind);
			},
	});
	const request = { conversationId: id, command: "rm -r build", clientMessageId: "c1", origin: "web" as const };
	expect(() => conversations.exec(request)).toThrow("disk full");
	await bed.clock.advance(10);
	expect([bed.shell.commands.length, written]).toEqual([0, []]);
	isRefused = false;
	const note = () => void written.push("note");
	expect(conversations.storedWith(note, () => conversations.exec(request)).isWritten).toBe(true);
	expect(conversations.storedWith(note, () => conversations.exec(request)).isWritten).toBe(false);
	expect(written).toEqual(["note", "command"]);
	conversations.prompt({ conversationId: id, prompt: "Go", origin: "web" });
	const turn = await bed.runtime.nextTurn();
	const permitted = turn.options.permit({ kind: "shell", summary: "rm -r build" }, turn.signal);
	await bed.clock.advance(10);
	isRefused = true;
	const [asked] = conversations.pending(id).permissions;
	conversations.decide({ conversationId: id, requestId: asked?.requestId ?? "", decision: "approve-once", by: "web" });
	let isPermitted = false;
	void permitted.then(() => {
		isPermitted = true;
	});
	await bed.clock.advance(100);
	expect([isPermitted, written]).toEqual([false, ["note", "command"]]);
	isRefused = false;
	await bed.clock.advance(3_000);
	expect([isPermitted, written]).toEqual([true, ["note", "command", "permission"]]);
	turn.end();
	await bed.close();
});

test("[SE149] approvals and answers are written down with what was asked, and only the one that won", async () => {
	const { bed, conversations, records, id } = await auditedBed();
	await conversations.update(id, { permissions: "ask" }, { origin: "web", from: "127.0.0.1" });
	conversations.prompt({ conversationId: id, prompt: "Go", origin: "web" });
	const turn = await bed.runtime.nextTurn();
	void turn.options.permit({ kind: "shell", summary: "rm -r build" }, turn.signal);
	void turn.options.ask({ question: "Which?", allowFreeform: true }, turn.signal);
	const { permissions, questions } = conversations.pending(id);
	const decision = {
		conversationId: id,
		requestId: permissions[0]?.requestId ?? "",
		decision: "approve-once" as const,
		by: "telegram" as const,
	};
	conversations.decide({ ...decision, from: "Bob (8)" });
	expect(() => conversations.decide(decision)).toThrow();
	conversations.answer({ conversationId: id, requestId: questions[0]?.requestId ?? "", answer: "the left one", by: "web" });
	expect(records).toEqual([
		{ kind: "permission-mode", source: "127.0.0.1", detail: `ask in ${id}` },
		{ kind: "permission", source: "telegram Bob (8)", detail: `approve-once in ${id}: rm -r build` },
		{ kind: "answer", source: "web", detail: `in ${id}: the left one` },
	]);
	turn.end();
	await bed.close();
});

test("[CG21] what was undone and brought back is written down with its files; a preview is not", async () => {
	const { bed, conversations, records, id } = await auditedBed();
	const files = [
		{ path: "a.ts", result: "restored" as const },
		{ path: "b.ts", result: "skipped" as const, reason: "changed-since" },
	];
	bed.tracker.undoes = ({ kind, newChangeId }) => ({ files, change: aChange({ id: newChangeId, kind }), undoes: [] });
	const by = { origin: "telegram" as const, from: "Ann (7)" };
	await conversations.changes.undo(id, { changeIds: ["g1"], kind: "undo", preview: true }, by);
	await conversations.changes.undo(id, { changeIds: ["g1"], kind: "undo" }, by);
	await conversations.changes.undo(id, { changeIds: ["g1"], kind: "redo" }, { origin: "web", from: "127.0.0.1" });
	expect(records).toEqual([
		{ kind: "undo", source: "telegram Ann (7)", detail: `begun: g1 in ${id}` },
		{ kind: "undo", source: "telegram Ann (7)", detail: `g1 in ${id}: a.ts` },
		{ kind: "redo", source: "127.0.0.1", detail: `begun: g1 in ${id}` },
		{ kind: "redo", source: "127.0.0.1", detail: `g1 in ${id}: a.ts` },
	]);
	await bed.close();
});

test("[CG600] who undoes something is written down before a file is touched", async () => {
	const { bed, conversations, records, id } = await auditedBed();
	let known: unknown[] = [];
	bed.tracker.undoes = () => {
		known = [...records];
		throw new AppError("changes-unavailable", "The recorder has died.");
	};
	const undone = conversations.changes.undo(id, { changeIds: ["g1"], kind: "undo" }, { origin: "web", from: "127.0.0.1" });
	await expect(undone).rejects.toThrow("The recorder has died.");
	expect(known).toEqual([{ kind: "undo", source: "127.0.0.1", detail: `begun: g1 in ${id}` }]);
	expect(records).toHaveLength(1);
	await bed.close();
});

test("[SE255] who deleted a conversation is written down in the moment in which it is gone, not when the last of it has been tidied away", async () => {
	const { bed, conversations, records, id } = await auditedBed();
	bed.shell.forget = () => new Promise(() => undefined);
	bed.tracker.forget = () => new Promise(() => undefined);
	const by = { origin: "web" as const, from: "127.0.0.1" };
	const deleting = Promise.all([conversations.delete(id, by), conversations.delete(id, by)]);
	while (bed.conversations.find(id) !== undefined) {
		expect(records).toEqual([]);
		await bed.clock.advance(100);
	}
	expect(records).toEqual([{ kind: "conversation-deleted", source: "127.0.0.1", detail: `${id} ` }]);
	await bed.clock.advance(20_000);
	await deleting;
	expect(records).toHaveLength(1);
	await bed.close();
});

test("[SE149] another title is no matter for the audit log; a deleted conversation is", async () => {
	const { bed, conversations, records, id } = await auditedBed();
	await conversations.update(id, { title: "Old plans", permissions: "auto" });
	await conversations.delete(id, { origin: "web", from: "127.0.0.1" });
	await expect(conversations.delete(id, { origin: "web" })).rejects.toThrow();
	expect(records).toEqual([{ kind: "conversation-deleted", source: "127.0.0.1", detail: `${id} Old plans` }]);
	await bed.close();
});
