import { expect, test, vi } from "vitest";
import { createLeaving } from "./leaving.ts";

test("[CL90] the command ends when the server has heard that the answer was seen, after five seconds, or when told again", () => {
	vi.useFakeTimers();
	try {
		const answered: (() => void)[] = [];
		const told: string[] = [];
		const make = (name: string, { isSeen = true, isTaken = true } = {}) => {
			const leaving = createLeaving({
				finish: () => void told.push(`${name} finished`),
				close: () => void told.push(`${name} closed`),
				isSeen: () => isSeen,
				saySeen: (onAnswered) => {
					answered.push(onAnswered);
					return isTaken;
				},
			});
			leaving.leave(
				() => void told.push(`${name} goodbye`),
				() => void told.push(`${name} ended`),
			);
			return leaving;
		};
		const heard = make("heard");
		expect([told.splice(0), heard.isOver()]).toEqual([["heard finished", "heard goodbye"], true]);
		answered.shift()?.();
		expect(told.splice(0)).toEqual(["heard closed", "heard ended"]);
		make("late");
		vi.advanceTimersByTime(5_000);
		expect(told.splice(0)).toEqual(["late finished", "late goodbye", "late closed", "late ended"]);
		answered.shift()?.();
		make("again").fail(() => void told.push("never"));
		make("script", { isSeen: false });
		make("full", { isTaken: false });
		vi.advanceTimersByTime(60_000);
		expect(told).toEqual(
			[..."again script full".split(" ")].flatMap((name) => [`${name} finished`, `${name} goodbye`, `${name} closed`, `${name} ended`]),
		);
	} finally {
		vi.useRealTimers();
	}
});
