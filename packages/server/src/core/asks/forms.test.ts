import { afterEach, beforeEach, expect, test } from "vitest";
import { heardAudit } from "../../../../../test/support/audit.ts";
import { type CoreBed, createCoreBed } from "../../../../../test/support/core.ts";
import type { ScriptedTurn } from "../../../../../test/support/scripted-runtime.ts";
import { audited } from "../conversations/audited.ts";
import { jsonBytes } from "../kernel/fit.ts";
import { type ConversationId, seq } from "../kernel/ids.ts";
import type { AskForm } from "../ports/agent-asks.ts";
import { MAX_FORM_BYTES, MAX_OPEN_FORMS_BYTES } from "./ask-form.ts";

let bed: CoreBed;
let id: ConversationId;
let turn: ScriptedTurn;
beforeEach(async () => {
	bed = await createCoreBed();
	id = await bed.begin();
	bed.conversations.prompt({ conversationId: id, prompt: "Go", origin: "web" });
	turn = await bed.runtime.nextTurn();
});
afterEach(() => bed.close());

const SCHEMA = { type: "object", properties: { name: { type: "string", title: "Your name" } }, required: ["name"] };
const ask = (more: Partial<AskForm> = {}) =>
	turn.options.form({ message: "Who are you?", schema: SCHEMA, source: "tiny", ...more }, new AbortController().signal);
async function asked(): Promise<string> {
	await bed.clock.advance(10);
	return bed.conversations.pending(id).forms.at(-1)?.requestId ?? "none";
}

test("[FO10] a form goes to every reader, to the snapshot and to the inbox; the first answer that fits goes to whoever asked", async () => {
	const [one, two] = [bed.watch(id), bed.watch(id)];
	const answer = ask();
	const requestId = await asked();
	const [request] = one.of("copilot:form_request");
	expect(request).toMatchObject({ requestId, message: "Who are you?", schema: SCHEMA, source: "tiny", expiresAt: expect.any(String) });
	expect(two.of("copilot:form_request")).toEqual([request]);
	expect(bed.conversations.get(id).asking).toBe(true);
	expect(bed.watch(id).of("copilot:snapshot")).toMatchObject([{ forms: [{ requestId, schema: SCHEMA, source: "tiny" }] }]);
	expect(bed.conversations.inbox.list()).toMatchObject([{ kind: "form", why: "tiny: Who are you?", form: { requestId } }]);
	const response = { conversationId: id, requestId, action: "accept" as const, by: "telegram" as const };
	bed.conversations.fillIn({ ...response, conversationId: undefined, content: { name: "Ada" } });
	await expect(answer).resolves.toEqual({ action: "accept", content: { name: "Ada" } });
	await bed.clock.advance(10);
	expect(two.of("copilot:form_resolved")).toMatchObject([{ requestId, outcome: "answered", action: "accept", by: "telegram" }]);
	expect(() => bed.conversations.fillIn(response)).toThrow(expect.objectContaining({ code: "request-not-found" }));
	expect(bed.conversations.get(id).asking).toBe(false);
	turn.end();
	await bed.clock.advance(100);
	expect(bed.conversations.messages(id, { limit: 1 }).messages).toMatchObject([
		{ metadata: { asks: [{ kind: "question", text: "Who are you?", form: "tiny", answer: "accept", by: "telegram" }] } },
	]);
});

test("[FO11] what does not fit is refused with its field and its reason, and the form waits on", async () => {
	const answer = ask();
	const requestId = await asked();
	const respond = (content?: Record<string, unknown>) =>
		bed.conversations.fillIn({ conversationId: id, requestId, action: "accept", by: "web", ...(content === undefined ? {} : { content }) });
	const refused = (reason: string, field: string, message: string) =>
		expect.objectContaining({ code: "form-invalid", message, params: expect.objectContaining({ reason, field }) });
	expect(() => respond()).toThrow(refused("required", "name", "Your name: this is needed."));
	expect(() => respond({ name: 5 })).toThrow(refused("type", "name", expect.stringContaining("Your name: ")));
	expect(() => respond({ name: "Ada", more: 1 })).toThrow(refused("unknown-field", "more", expect.stringContaining("more: ")));
	expect(bed.conversations.pending(id).forms).toHaveLength(1);
	respond({ name: "Ada" });
	await expect(answer).resolves.toEqual({ action: "accept", content: { name: "Ada" } });
});

test("[FO12] what was filled in stands in no event, no stored answer and no line of the audit log, and none of our secrets goes out", async () => {
	const lines: unknown[] = [];
	const conversations = audited(
		bed.conversations,
		heardAudit((entry) => void lines.push(entry)),
	);
	const watcher = bed.watch(id);
	const answer = ask();
	const requestId = await asked();
	const content = { name: "my pass phrase and s3cret-value" };
	conversations.fillIn({ conversationId: id, requestId, action: "accept", content, by: "web", from: "10.0.0.1" });
	const given = await answer;
	expect(given).toMatchObject({ action: "accept", content: { name: expect.stringContaining("my pass phrase and ") } });
	expect(JSON.stringify(given)).not.toContain("s3cret-value");
	turn.end();
	await bed.clock.advance(100);
	expect(lines).toEqual([{ kind: "answer", source: "10.0.0.1", detail: `in ${id}: accept, form ${requestId}` }]);
	expect(watcher.of("copilot:form_resolved")).toHaveLength(1);
	// As they were sent and stored: a reader that knows its frames does not see what is beside them.
	const sent = bed.store.events.after(id, seq(0), 1_000).map(({ frame }) => frame);
	expect(sent.some((frame) => frame.includes("copilot:form_resolved"))).toBe(true);
	expect(JSON.stringify([sent, bed.conversations.messages(id, { limit: 9 })])).not.toContain("pass phrase");
});

test("[FO13] a form that is declined, expires, or whose turn is stopped or lost ends everywhere", async () => {
	const watcher = bed.watch(id);
	const declined = ask();
	bed.conversations.fillIn({ conversationId: id, requestId: await asked(), action: "decline", by: "web" });
	await expect(declined).resolves.toEqual({ action: "decline" });
	const expired = ask();
	await bed.clock.advance(120_000);
	await expect(expired).resolves.toEqual({ action: "cancel" });
	const stopped = ask();
	await asked();
	bed.conversations.abort(id);
	await bed.clock.advance(100);
	await expect(stopped).resolves.toEqual({ action: "cancel" });
	expect(watcher.of("copilot:form_resolved")).toMatchObject([
		{ outcome: "answered", action: "decline" },
		{ outcome: "expired" },
		{ outcome: "aborted" },
	]);
	expect(bed.conversations.pending(id).forms).toEqual([]);
	// Between turns nobody is asked.
	await expect(ask()).resolves.toEqual({ action: "cancel" });
	expect(watcher.types().at(-1)).toBe("copilot:idle");
});

test("[FO14] a form open at a crash is settled at the next start", async () => {
	void ask();
	await asked();
	const watcher = bed.afterCrash().watch(id, { epoch: bed.store.conversations.find(id)?.epoch, lastSeq: 0 });
	expect(watcher.of("copilot:form_resolved")).toMatchObject([{ outcome: "aborted" }]);
	expect(watcher.of("copilot:idle")).toMatchObject([{ outcome: "interrupted" }]);
});

test("[FO15] a form that is too large, nested or of an unknown kind, or too many at once, is declined, and people hear why", async () => {
	const watcher = bed.watch(id);
	const huge = { type: "object", properties: { x: { type: "string", description: "y".repeat(10_000_000) } } };
	const wide = { type: "object", properties: Object.fromEntries(Array.from({ length: 100_000 }, (_, n) => [`f${n}`, {}])) };
	const deep = { type: "object", properties: { y: { type: "string", a: JSON.parse(`${"[".repeat(1_000)}${"]".repeat(1_000)}`) } } };
	for (const schema of [huge, wide, { type: "object", properties: { o: { type: "object" } } }, deep, "x"]) {
		await expect(ask({ schema })).resolves.toEqual({ action: "decline" });
	}
	await expect(ask({ message: "字".repeat(MAX_FORM_BYTES / 3) })).resolves.toEqual({ action: "decline" });
	const notice = (reason: string, more = {}) => ({ code: "form-declined", params: { reason, source: "tiny", ...more } });
	await bed.clock.advance(10);
	expect(watcher.of("copilot:form_request")).toEqual([]);
	expect(watcher.of("copilot:notice")).toMatchObject([
		...[notice("too-large"), notice("too-large"), notice("unreadable", { field: "o" }), notice("unreadable", { field: "y" })],
		...[notice("unreadable"), notice("too-large")],
	]);
	const large = { ...SCHEMA, title: "z".repeat(MAX_FORM_BYTES - 400) };
	const [first] = [ask({ schema: large }), await asked()];
	const one = jsonBytes(bed.conversations.pending(id).forms[0]);
	const second = ask({ schema: large });
	await asked();
	await expect(ask({ schema: large })).resolves.toEqual({ action: "decline" });
	expect(one * 3).toBeGreaterThan(MAX_OPEN_FORMS_BYTES);
	expect(jsonBytes(bed.watch(id).of("copilot:snapshot")[0]?.forms)).toBeLessThanOrEqual(MAX_OPEN_FORMS_BYTES + 10);
	bed.conversations.abort(id);
	await bed.clock.advance(100);
	await Promise.all([first, second]);
});

test("[FO16] a page to open is shown as its address, if it is a page of the web, and is done when the person says so", async () => {
	const answer = ask({ url: "https://example.org/login", schema: undefined });
	const requestId = await asked();
	expect(bed.conversations.pending(id).forms).toMatchObject([
		{ url: "https://example.org/login", schema: { type: "object", properties: {} } },
	]);
	bed.conversations.fillIn({ conversationId: id, requestId, action: "accept", by: "web" });
	await expect(answer).resolves.toEqual({ action: "accept", content: {} });
	for (const url of ["javascript:alert(1)", "file:///etc/passwd", "nowhere", ""]) {
		await expect(ask({ url })).resolves.toEqual({ action: "decline" });
	}
});
