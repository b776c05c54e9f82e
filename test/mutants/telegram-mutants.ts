import type { Mutant } from "./mutant.ts";

const TELEGRAM = "packages/server/src/channels/telegram";
const POLL = { file: `${TELEGRAM}/inbox/poll-state.ts`, tests: [`${TELEGRAM}/inbox/poll-state.test.ts`] };
const FAILURE = { file: `${TELEGRAM}/api/send-failure.ts`, tests: [`${TELEGRAM}/api/send-failure.test.ts`] };
const QUEUE = { file: `${TELEGRAM}/outbox/send-queue.ts`, tests: [`${TELEGRAM}/outbox/send-queue.test.ts`] };
const LIVE = { file: `${TELEGRAM}/outbox/live-state.ts`, tests: [`${TELEGRAM}/outbox/live-state.test.ts`] };
const FILE = { file: `${TELEGRAM}/outbox/outbound-file.ts`, tests: [`${TELEGRAM}/outbox/outbound-file.test.ts`] };

export const TELEGRAM_MUTANTS: Mutant[] = [
	{
		name: "conflicts with another poller are waited out longer and longer, without end",
		...POLL,
		search: "conflictMs: Math.min(waitMs * 2, CONFLICT_MOST_MS)",
		replace: "conflictMs: waitMs * 2",
	},
	{
		name: "a refused bot token is polled with again",
		...POLL,
		search: 'if (result.code === 401) return { poll: { state: "token-refused" }, waitMs: 0, deleteWebhook: false };',
		replace: "",
	},
	{
		name: "a Bot API that does not hold the poll makes it a busy loop",
		...POLL,
		search: "isNew || tookMs >= RETRY_MS ? step",
		replace: "tookMs >= 0 ? step",
	},
	{
		name: "a message whose formatting is refused is given up",
		...FAILURE,
		search: 'outgoing.kind === "text" && outgoing.entities.length > 0',
		replace: "outgoing.kind !== outgoing.kind",
	},
	{
		name: "the answer for a deleted topic is lost",
		...FAILURE,
		search: "thread.threadId !== undefined",
		replace: "thread.threadId === undefined",
	},
	{
		name: "a message whose response was lost is sent twice",
		...QUEUE,
		search: 'if (!inDoubt || work.kind === "send") return undefined;',
		replace: 'if (!inDoubt) return undefined;\n\tif (work.kind === "send") return UNREACHABLE_RETRY_MS;',
	},
	{
		name: "edits of the status message are not throttled",
		...QUEUE,
		search: "		nextEditAt = clock.elapsed() + spacing;\n",
		replace: "",
	},
	{
		name: "what waits for one chat has no bound",
		...QUEUE,
		search: "if (sends.length > MAX_SEND_JOBS) giveUp(sends.shift());",
		replace: "",
	},
	{
		name: "a live message is sent that the disk cannot note",
		file: `${TELEGRAM}/outbox/live-message.ts`,
		search: "store.check();",
		replace: "",
		tests: [`${TELEGRAM}/outbox/live-message.test.ts`],
	},
	{
		name: "what is typed answers a question that was not sent yet",
		file: `${TELEGRAM}/render/ask-view.ts`,
		search: "form === undefined && live.mayBeSeen()",
		replace: "form === undefined",
		tests: ["test/features/telegram/answers.server.test.ts"],
	},
	{
		name: "a live message that is removed while it is sent stays in the chat",
		...LIVE,
		search: 'if (live.state === "removed") return takeDown(messageId);',
		replace: "",
	},
	{
		name: "a status message that a person deletes comes back for ever",
		...LIVE,
		search: 'if (live.isReplacement) return { ...stay(live), notes: [{ kind: "forget", messageId }] };',
		replace: "",
	},
	{
		name: "send_file follows a link out of the working directory",
		...FILE,
		search: "if (root === undefined || !isInside(root, real))",
		replace: "if (root === undefined || !isInside(root, wanted))",
	},
	{
		name: "send_file sends a key file",
		...FILE,
		search: " || SECRET_NAME.test(basename(real)) || SECRET_NAME.test(basename(wanted))",
		replace: "",
	},
	{
		name: "a long answer is cut inside a surrogate pair",
		file: `${TELEGRAM}/format/split-text.ts`,
		search: "return splitsPair(text, most) ? Math.max(1, most - 1) : most;",
		replace: "return most;",
		tests: [`${TELEGRAM}/format/split-text.test.ts`],
	},
	{
		name: "the status message does not say how long the turn has run",
		file: `${TELEGRAM}/render/status-text.ts`,
		search: "words.elapsed(now - Date.parse(turn.startedAt))",
		replace: "words.elapsed(0)",
		tests: [`${TELEGRAM}/render/status-text.test.ts`],
	},
];
