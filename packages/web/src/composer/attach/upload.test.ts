import { MAX_ATTACHMENT_BYTES, MAX_ATTACHMENTS, MAX_TYPED_CHARS } from "@rightseat/protocol/limits";
import { expect, test } from "vitest";
import { acceptFiles, longTextAsFile, namePasted, readableSize } from "./upload.ts";

const file = (name: string, size = 1) => new File([new Uint8Array(size)], name, { type: "image/png" });

test("[PG67] files that are too large or too many are refused with a reason, the rest are taken", () => {
	const big = file("big.bin", MAX_ATTACHMENT_BYTES + 1);
	const small = file("small.txt");
	expect(acceptFiles([big, small], 0)).toEqual({ accepted: [small], refused: [{ kind: "too-big", name: "big.bin" }] });
	expect(acceptFiles([small, file("two")], MAX_ATTACHMENTS - 1)).toEqual({ accepted: [small], refused: [{ kind: "too-many" }] });
});

test("[PG67] a pasted picture gets a name of its own", () => {
	const now = new Date(2026, 10, 15, 9, 5, 7);
	expect(namePasted(file("image.png"), 0, now).name).toBe("pasted-090507.png");
	expect(namePasted(file("image.png"), 1, now).name).toBe("pasted-090507-2.png");
	expect(namePasted(file("plan.png"), 0, now).name).toBe("plan.png");
});

test("[PG126] pasted text that makes the prompt too long becomes a file, shorter text stays text", async () => {
	const now = new Date(2026, 10, 15, 9, 5, 7);
	expect(longTextAsFile("x".repeat(MAX_TYPED_CHARS), 0, now)).toBeUndefined();
	const file = longTextAsFile("x".repeat(MAX_TYPED_CHARS), 1, now);
	expect([file?.name, file?.size]).toEqual(["pasted-090507.txt", MAX_TYPED_CHARS]);
});

test("[PG67] sizes read well", () => {
	expect([0, 1023, 1536, 10 * 1024 * 1024].map(readableSize)).toEqual(["0 B", "1023 B", "1.5 KB", "10 MB"]);
});
