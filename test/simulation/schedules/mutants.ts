const SCHEDULES = "packages/server/src/core/schedules";

const mutant = (name: string, file: string, search: string, replace: string) => ({
	...{ area: "schedules", name, file: `${SCHEDULES}/${file}`, search, replace },
	parts: ["schedules"],
});

/** Ways to break schedules that rounds must notice, in the form of the list of all of them. */
export const SCHEDULE_SIMULATION_MUTANTS = [
	mutant(
		"a run whose prompt is stored is told as missed after a crash",
		"run-results.ts",
		"const sent = messages.findByClientId(id, clientMessageId)?.message;",
		'const sent = run.outcome === "starting" ? undefined : messages.findByClientId(id, clientMessageId)?.message;',
	),
	mutant("a run that came to nothing is told to nobody", "runs.ts", "				store.update(scheduleId, patch);\n", "				void patch;\n"),
	mutant(
		"what is made up for stays missed",
		"runs.ts",
		"const missed = row.missed?.due === due ? undefined : row.missed;",
		"const { missed } = row;",
	),
	mutant(
		"what was due while the server was off is left out",
		"schedule-clock.ts",
		"if (reason !== undefined) miss(row, { due, count: countPassed(row, times, due, now), reason }, planned);",
		"if (reason !== undefined) store.update(row.id, planned);",
	),
	mutant(
		"of several times that passed one is told",
		"schedule-clock.ts",
		"count: countPassed(row, times, due, now), reason",
		"count: Math.min(1, countPassed(row, times, due, now)), reason",
	),
	mutant(
		"each attempt of a run has an id of its own",
		"runs.ts",
		'clientMessageId: promptIdOf(run), origin: "api" }',
		'clientMessageId: promptIdOf(run) + (deps.clock.now() % 7), origin: "api" }',
	),
	mutant(
		"a schedule outlives its conversation",
		"schedules.ts",
		'const resting = change.kind === "deleted" ? store.ofConversation(id) : [];',
		'const resting = change.kind === "deleted" ? store.ofConversation(id).slice(1) : [];',
	),
];
