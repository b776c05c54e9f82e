import { execFileSync } from "node:child_process";
import { mkdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { MAX_ENTRIES, MAX_FILE_BYTES } from "../../../packages/server/src/services/work-roots/read-files.ts";
import { createWebBed, type WebBed } from "../../support/ws-harness.ts";

let bed: WebBed;
let id: string;
beforeEach(async () => {
	bed = await createWebBed();
	mkdirSync(join(bed.home, "shop/src"), { recursive: true });
	const made = await bed.api("/api/conversations", { method: "POST", body: { cwd: join(bed.home, "shop") } });
	id = Object(await made.json()).conversation.id;
});
afterEach(() => bed.close());

async function get(route: "tree" | "file", path: string) {
	const response = await bed.api(`/api/conversations/${id}/${route}?path=${encodeURIComponent(path)}`);
	const text = await response.text();
	return { status: response.status, text, headers: response.headers, body: text.startsWith("{") ? JSON.parse(text) : undefined };
}

test("[HT300] a folder of the working directory is listed, folders first, with sizes; links are named", async () => {
	writeFileSync(join(bed.home, "shop/b.txt"), "four");
	symlinkSync("/etc", join(bed.home, "shop/etc"));
	expect((await get("tree", ".")).body).toEqual({
		path: join(bed.home, "shop"),
		entries: [
			{ name: "src", kind: "folder" },
			{ name: "b.txt", kind: "file", size: 4 },
			{ name: "etc", kind: "link" },
		],
		more: false,
	});
	for (let index = 0; index <= MAX_ENTRIES; index++) writeFileSync(join(bed.home, "shop/src", String(index)), "");
	const { entries, more } = (await get("tree", "src")).body;
	expect([entries.length, more]).toEqual([MAX_ENTRIES, true]);
});

test("[HT301] a file is given as bytes that do nothing in a browser, and of a large one the beginning", async () => {
	writeFileSync(join(bed.home, "shop/page.html"), "<script>alert(1)</script>");
	const { status, text, headers } = await get("file", "page.html");
	expect([status, text, headers.get("content-type"), headers.get("x-file-size")]).toEqual([
		200,
		"<script>alert(1)</script>",
		"application/octet-stream",
		"25",
	]);
	expect(headers.get("content-disposition")).toContain("attachment");
	expect(headers.get("content-security-policy")).toContain("sandbox");
	writeFileSync(join(bed.home, "shop/large"), Buffer.alloc(MAX_FILE_BYTES + 1, 97));
	const large = await get("file", "large");
	expect([large.text.length, large.headers.get("x-file-size")]).toEqual([MAX_FILE_BYTES, String(MAX_FILE_BYTES + 1)]);
});

test("[HT302] nothing outside of what may be seen is shown, by name or by link, and nothing that is no file is opened", async () => {
	symlinkSync("/etc", join(bed.home, "shop/out"));
	symlinkSync("/etc/hostname", join(bed.home, "shop/name"));
	execFileSync("mkfifo", [join(bed.home, "shop/pipe")]);
	for (const path of ["/etc/passwd", "../../../../etc/passwd", "out/passwd", "name", "/etc/none"])
		expect((await get("file", path)).status, path).toBe(403);
	for (const path of ["/etc", "out", "/"]) expect((await get("tree", path)).status, path).toBe(403);
	expect(await get("file", "none.txt")).toMatchObject({ status: 404, body: { error: { code: "not-found" } } });
	for (const path of ["pipe", "src"]) expect((await get("file", path)).status, path).toBe(400);
	writeFileSync(join(bed.home, "shop/a.txt"), "a");
	expect((await get("tree", "a.txt")).status).toBe(400);
	rmSync(join(bed.home, "shop/pipe"));
});

test("[HT302] the whole repository of the working directory may be seen", async () => {
	execFileSync("git", ["init", "-q", join(bed.home, "shop")]);
	writeFileSync(join(bed.home, "shop/top.txt"), "top");
	const made = await bed.api("/api/conversations", { method: "POST", body: { cwd: join(bed.home, "shop/src") } });
	id = Object(await made.json()).conversation.id;
	expect((await get("file", "../top.txt")).text).toBe("top");
});
