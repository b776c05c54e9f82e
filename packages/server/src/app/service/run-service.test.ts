import { mkdtempSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { createBoundedPrint, MAX_OUTPUT_BYTES, shortenOutput } from "./run-service.ts";

test("[SV33] what a service prints is bounded in bytes, in one run and over many", () => {
	let bytes = 0;
	const print = createBoundedPrint((line) => {
		bytes += Buffer.byteLength(line) + 1;
	});
	for (let count = 0; count < 3_000; count++) print("一".repeat(300));
	expect(bytes).toBeGreaterThan(MAX_OUTPUT_BYTES / 2);
	expect(bytes).toBeLessThanOrEqual(MAX_OUTPUT_BYTES);
	const folder = mkdtempSync(join(tmpdir(), "rightseat-output-"));
	const file = join(folder, "service.log");
	shortenOutput(file);
	writeFileSync(file, "x".repeat(MAX_OUTPUT_BYTES));
	shortenOutput(file);
	expect(statSync(file).size).toBe(MAX_OUTPUT_BYTES);
	writeFileSync(file, "x".repeat(MAX_OUTPUT_BYTES + 1));
	shortenOutput(file);
	expect(statSync(file).size).toBe(0);
	rmSync(folder, { recursive: true });
});
