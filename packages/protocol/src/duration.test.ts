import { expect, test } from "vitest";
import { CHINESE_DURATION_UNITS, formatDuration, formatElapsed } from "./duration.ts";

const MS = [0, 450, 3_240, 9_960, 59_400, 65_000, 3_600_000, 7_380_000];

test("[TG119] durations are written in one way, on the page and in Telegram", () => {
	expect(MS.map((ms) => formatDuration(ms))).toEqual(["0 ms", "450 ms", "3.2 s", "10.0 s", "59 s", "1 min 5 s", "1 h 0 min", "2 h 3 min"]);
	expect(MS.map((ms) => formatElapsed(ms))).toEqual(["0 s", "0 s", "3 s", "10 s", "59 s", "1 min 5 s", "1 h 0 min", "2 h 3 min"]);
	expect([65_000, 7_380_000].map((ms) => formatElapsed(ms, CHINESE_DURATION_UNITS))).toEqual(["1 分 5 秒", "2 小時 3 分"]);
});
