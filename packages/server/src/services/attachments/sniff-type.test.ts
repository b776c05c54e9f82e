import { expect, test } from "vitest";
import { sniffType } from "./sniff-type.ts";

const png = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 0]);

test.each([
	["x.png", png, "image/png"],
	["x.html", png, "image/png"],
	["x.jpg", Buffer.from([0xff, 0xd8, 0xff, 0xe0]), "image/jpeg"],
	["x.gif", Buffer.from("GIF89a...."), "image/gif"],
	["x.webp", Buffer.from("RIFF\0\0\0\0WEBPVP8 "), "image/webp"],
	["x.png", Buffer.from("<script>alert(1)</script>"), "text/plain"],
	["x.svg", Buffer.from("<svg onload=alert(1)>"), "text/plain"],
	["x.html", Buffer.from("<!doctype html><script>"), "text/plain"],
	["notes.md", Buffer.from("# Notes"), "text/markdown"],
	["x.bin", Buffer.from([0, 1, 2, 3]), "application/octet-stream"],
	["x.txt", Buffer.from([0xff, 0xfe, 0x41]), "application/octet-stream"],
	["漢.txt", Buffer.from("漢".repeat(3_000)), "text/plain"],
])("[HT221] %s is typed by its content", (name, content, type) => {
	expect(sniffType(content, name)).toBe(type);
});
