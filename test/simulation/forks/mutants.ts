const mutant = (name: string, file: string, search: string, replace: string) => ({
	...{ area: "forks", name, file: `packages/server/src/${file}`, search, replace },
	parts: ["forks"],
});

/** Ways to break forks that rounds must notice, in the form of the list of all of them. */
export const FORK_SIMULATION_MUTANTS = [
	mutant(
		"what is said while a fork is made is in it",
		"store/messages/copy-messages.ts",
		"Math.min(found, order.nextPosition(conversation, false))",
		"Math.min(found, QUEUE_START)",
	),
	mutant(
		"a fork whose source was deleted meanwhile is empty",
		"core/forks/copy-conversation.ts",
		"			deps.rows.getOpen(from);\n			after",
		"			after",
	),
	mutant(
		"a fork that a crash cut off stays",
		"core/forks/copy-conversation.ts",
		"for (const row of left) await discard(row)",
		"for (const row of left.slice(1)) await discard(row)",
	),
	mutant(
		"a fork is seen before all of it is there",
		"core/forks/copy-conversation.ts",
		"isForming: true, isContinued: false",
		"isForming: false, isContinued: false",
	),
	mutant(
		"a fork that is asked for again is made again",
		"core/forks/forks.ts",
		"return findMade(id, forkKey, clientMessageId) ?? begin(",
		"return begin(",
	),
	mutant(
		"the prompt of a fork that is asked for again is sent again",
		"core/forks/forks.ts",
		"origin, ...(clientMessageId === undefined ? {} : { clientMessageId }) });",
		"origin });",
	),
];
