import type { Mutant } from "./mutant.ts";

const AT = "packages/server/src/core";

export const LOG_MUTANTS: Mutant[] = [
	{
		name: "an event is shown before it is durable",
		file: `${AT}/log/event-log.ts`,
		search: "if (written.length > 0) store.afterCommit(() => deps.onDurable(written), lost);",
		replace: "if (written.length > 0) deps.onDurable(written);\n\t\tvoid lost;",
		tests: [`${AT}/log/durable.test.ts`, `${AT}/log/event-log.test.ts`],
	},
	{
		name: "events of a commit that was refused are lost",
		file: `${AT}/log/event-log.ts`,
		search: "\t\t\tbuffer.giveBack(taken);\n",
		replace: "",
		tests: [`${AT}/log/event-log.test.ts`],
	},
	{
		name: "one broken reader costs the others their events",
		file: `${AT}/log/stream-hub.ts`,
		search: 'deps.logger.error({ err: error, conversationId: event.conversationId }, "A subscriber threw");',
		replace: "throw error;",
		tests: [`${AT}/log/event-log.test.ts`],
	},
	{
		name: "what is missing in the log is replayed with a gap",
		file: `${AT}/log/stream-hub.ts`,
		search: "const complete = found.length === count && found[0]?.seq === lastSeq + 1 && found.at(-1)?.seq === head;",
		replace: "const complete = found.length > 0;",
		tests: [`${AT}/log/event-log.test.ts`],
	},
	{
		name: "a replay has no bound in characters",
		file: `${AT}/log/stream-hub.ts`,
		search: "return complete && chars <= MAX_REPLAY_CHARS ? found : undefined;",
		replace: "return complete && chars >= 0 ? found : undefined;",
		tests: [`${AT}/log/event-log.test.ts`],
	},
	{
		name: "a secret that two pieces share is shown",
		file: `${AT}/log/redacting-log.ts`,
		search: "if (stream.redactor.isWaiting()) open.set(key, stream);",
		replace: 'if (stream.redactor.isWaiting() && stream.kind === "command") open.set(key, stream);',
		tests: [`${AT}/log/redacting-log.test.ts`],
	},
	{
		name: "the agent acts on an answer that is not durable",
		file: `${AT}/asks/wait-for-answer.ts`,
		search: 'if (end.outcome !== "answered") resolve(end);',
		replace: "if (end.outcome !== undefined) resolve(end);",
		tests: [`${AT}/log/durable.test.ts`],
	},
	{
		name: "a permission is asked for that nobody can see whole",
		file: `${AT}/asks/ask-permission.ts`,
		search: "if (whole.length > MAX_APPROVAL_CHARS) return refuseUnseen(deps, conversationId, whole.length);",
		replace: "",
		tests: [`${AT}/asks/pending-requests.test.ts`],
	},
	{
		name: "a permission that nobody answered is granted",
		file: `${AT}/asks/ask-permission.ts`,
		search: 'if (end.outcome === "answered" && end.decision !== undefined && end.decision !== "reject") return { kind: end.decision };',
		replace: 'if (end.decision !== "reject") return { kind: end.decision ?? "approve-once" };',
		tests: [`${AT}/asks/pending-requests.test.ts`],
	},
];
