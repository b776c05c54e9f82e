import { expect, test } from "vitest";
import type { AppError } from "../../core/kernel/errors.ts";
import { acpErrors } from "./acp-errors.ts";
import {
	DEATH_WINDOW_MS,
	describeHealth,
	type HealthInput,
	MAX_DEATHS,
	NEVER_STARTED,
	nextHealth,
	REST_MS,
	restOf,
} from "./health-state.ts";

const play = (...inputs: HealthInput[]) => inputs.reduce(nextHealth, NEVER_STARTED);
const starting: HealthInput = { kind: "starting" };
const started: HealthInput = { kind: "started", version: "1.2" };
const died = (at: number): HealthInput => ({ kind: "ended", error: acpErrors.died("A", "signal SIGKILL"), at });
const state = (inputs: HealthInput[], now = 0) => describeHealth(play(...inputs), "A", now).state;

test("[AC60] an agent is off without a process, starting, ready with one, and restarting after a death", () => {
	expect(state([])).toBe("off");
	expect(state([starting])).toBe("starting");
	expect(describeHealth(play(starting, started), "A", 0)).toEqual({ state: "ready", provider: "acp", version: "1.2" });
	expect(state([starting, started, { kind: "ended", at: 0 }])).toBe("off");
	expect(state([starting, started, died(0), starting])).toBe("restarting");
	expect(state([starting, started, { kind: "closed" }])).toBe("stopped");
});

test("[AC61] a crash loop rests for five minutes and says so; older deaths do not count, an answer forgets them, waking ends the rest", () => {
	const deaths = Array.from({ length: MAX_DEATHS }, (_, at) => [starting, started, died(at)]).flat();
	const resting = play(...deaths);
	expect(describeHealth(resting, "A", 10)).toMatchObject({ state: "resting", code: "agent-resting", params: { name: "A", minutes: 5 } });
	expect(restOf(resting, "A", 10)?.code).toBe("agent-resting");
	expect(restOf(resting, "A", MAX_DEATHS + REST_MS)).toBeUndefined();
	expect(restOf(play(...deaths, { kind: "woken" }), "A", 10)).toBeUndefined();
	const slow = Array.from({ length: 20 }, (_, at) => [starting, started, died(at * DEATH_WINDOW_MS)]).flat();
	expect(restOf(play(...slow), "A", 20 * DEATH_WINDOW_MS)).toBeUndefined();
	const answered = Array.from({ length: 20 }, (_, at) => [starting, started, { kind: "answered" as const }, died(at)]).flat();
	expect(restOf(play(...answered), "A", 20)).toBeUndefined();
});

test("[AC62] an agent that is missing or not logged in says so with the command that helps, until it starts", () => {
	const notStarted = (error: ReturnType<typeof acpErrors.login>): HealthInput => ({ kind: "not-started", error, at: 0 });
	const login = play(starting, notStarted(acpErrors.login("A", "a login")));
	expect(describeHealth(login, "A", 0)).toMatchObject({ state: "login-needed", code: "agent-login", params: { command: "a login" } });
	expect(describeHealth(play(starting, notStarted(acpErrors.missing("A", "a", "npm i a"))), "A", 0)).toMatchObject({
		state: "missing",
		params: { install: "npm i a" },
	});
	expect(describeHealth(nextHealth(nextHealth(login, starting), started), "A", 0).state).toBe("ready");
	expect(describeHealth(play(starting, started, { kind: "refused", error: acpErrors.login("A") }), "A", 0).state).toBe("login-needed");
});

test("[AC341] a resting agent says why it rests, and not to send again, which would do nothing", () => {
	const rest = (error: AppError) => {
		let state = NEVER_STARTED;
		for (let at = 0; at < MAX_DEATHS; at += 1)
			state = nextHealth(nextHealth(state, { kind: "starting" }), { kind: "not-started", error, at });
		return restOf(state, "A", MAX_DEATHS)?.message ?? "";
	};
	expect(rest(acpErrors.died("A", "signal SIGSEGV"))).toBe("A failed again and again and rests for 5 minutes: signal SIGSEGV.");
	expect(rest(acpErrors.frozen("A", 15))).toBe("A failed again and again and rests for 5 minutes: it gave no sign of life.");
	expect(rest(acpErrors.startFailed("A", "exit code 1"))).not.toMatch(/again\.|Send/);
});
