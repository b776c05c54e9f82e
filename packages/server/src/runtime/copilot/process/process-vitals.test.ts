import { expect, test } from "vitest";
import { fromProc, fromPs, readVitals } from "./process-vitals.ts";

test("[RT114] memory and processor time of a process are read where the system tells them", async () => {
	const before = await readVitals(process.pid);
	expect(before?.rssBytes).toBeGreaterThan(10 * 1024 * 1024);
	expect(before?.rssBytes).toBeLessThan(4 * process.memoryUsage().rss);
	for (let until = process.cpuUsage().user + 100_000; process.cpuUsage().user < until; );
	expect((await readVitals(process.pid))?.cpuMs).toBeGreaterThan(before?.cpuMs ?? 0);
	expect(await readVitals(2 ** 30)).toBeUndefined();
});

test("[RT114] both notations are understood, and nonsense is nothing", () => {
	const rest = Array.from({ length: 30 }, () => "0");
	const fields = ["S", ...rest];
	fields[11] = "150";
	fields[12] = "50";
	fields[21] = "1000";
	expect(fromProc(`12 (a ) b) ${fields.join(" ")}`)).toEqual({ rssBytes: 4_096_000, cpuMs: 2_000 });
	expect(fromProc("")).toBeUndefined();
	expect(fromPs("  2048   1:02.50\n")).toEqual({ rssBytes: 2_097_152, cpuMs: 62_500 });
	expect(fromPs("1 1-02:03:04")).toEqual({ rssBytes: 1_024, cpuMs: 93_784_000 });
	expect(fromPs("")).toBeUndefined();
});
