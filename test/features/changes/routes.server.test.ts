import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import type { UndoRequest } from "../../../packages/server/src/core/ports/changes.ts";
import { aChange } from "../../support/scripted-tracker.ts";
import { createWebBed, type WebBed } from "../../support/ws-harness.ts";

let bed: WebBed;
let id: string;
let at: string;
beforeAll(async () => {
	bed = await createWebBed();
});
beforeEach(async () => {
	id = await bed.begin();
	at = `/api/conversations/${id}/changes`;
	bed.tracker.undos.length = 0;
	bed.tracker.diff = async () => undefined;
	bed.tracker.undoes = ({ newChangeId, kind }: UndoRequest) => ({ files: [], change: aChange({ id: newChangeId, kind }), undoes: [] });
});
afterAll(() => bed.close());

const post = (path: string, body?: unknown) => bed.api(`${at}${path}`, { method: "POST", ...(body === undefined ? {} : { body }) });

test("[CG23] an undo without a body takes everything; paths, hunks and preview reach the recorder as they came", async () => {
	expect((await post("/g1/undo")).status).toBe(200);
	expect((await post("/g1/redo", {})).status).toBe(200);
	const part = { paths: ["a\\xff.ts"], hunks: { "a.ts": ["h1"] }, preview: true };
	expect(await (await post("/conversation/undo", part)).json()).toEqual({ files: [] });
	expect((await post("/undo", { changeIds: ["g1", "g2"] })).status).toBe(200);
	expect(bed.tracker.undos.map(({ newChangeId: _, ...request }) => request)).toEqual([
		{ conversationId: id, changeIds: ["g1"], kind: "undo" },
		{ conversationId: id, changeIds: ["g1"], kind: "redo" },
		{ conversationId: id, changeIds: ["conversation"], kind: "undo", ...part },
		{ conversationId: id, changeIds: ["g1", "g2"], kind: "undo" },
	]);
});

test.each([
	["/g1/undo", { paths: "a.ts" }],
	["/g1/undo", { paths: [""] }],
	["/g1/undo", { preview: "yes" }],
	["/g1/undo", { hunks: ["h1"] }],
	["/undo", { changeIds: [] }],
	["/undo", { changeIds: ["../x"] }],
	["/undo", {}],
])("[CG23] a wrong body is refused and nothing is asked of the recorder: POST %s %j", async (path, body) => {
	expect((await post(path, body)).status).toBe(400);
	expect(bed.tracker.undos).toEqual([]);
});

test("[CG23] bytes of a file are a download that does nothing in a browser, and a diff is plain text with its own bytes", async () => {
	bed.tracker.content = async () => Buffer.from("<script>alert(1)</script>");
	bed.tracker.diff = async () => Buffer.from([0x2d, 0xff, 0x0a]);
	const content = await bed.api(`${at}/g1/content?path=a.html&side=before`);
	expect(Object.fromEntries(content.headers)).toMatchObject({
		"content-type": "application/octet-stream",
		"content-disposition": "attachment",
		"content-security-policy": expect.stringContaining("sandbox"),
		"x-content-type-options": "nosniff",
	});
	const diff = await bed.api(`${at}/g1/diff`);
	expect(diff.headers.get("content-type")).toBe("text/plain; charset=utf-8");
	expect(Buffer.from(await diff.arrayBuffer())).toEqual(Buffer.from([0x2d, 0xff, 0x0a]));
});

test("[CG23] what is not there is 404, and both names of a cursor lead to older changes", async () => {
	for (const path of ["/none", "/none/diff?path=../../etc/passwd", "/none/hunks?path=/etc/passwd"]) {
		const answer = await bed.api(`${at}${path}`);
		expect([answer.status, (await answer.json()).error.code], path).toEqual([404, "change-not-found"]);
	}
	expect((await bed.api("/api/conversations/none/changes")).status).toBe(404);
	expect((await bed.api(`${at}/g1/hunks`)).status).toBe(400);
	const pages: unknown[] = [];
	bed.tracker.list = async (_, page) => {
		pages.push(page);
		return { changes: [] };
	};
	await bed.api(`${at}?before=g7&limit=3`);
	await bed.api(`${at}?cursor=g8`);
	expect(pages).toEqual([
		{ before: "g7", limit: 3 },
		{ before: "g8", limit: 50 },
	]);
});
