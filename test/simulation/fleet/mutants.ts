/** A bug that somebody could write into the fleet, and that the simulation must find. */
export interface FleetMutant {
	readonly name: string;
	readonly file: string;
	/** Stands there once. */
	readonly search: string;
	readonly replace: string;
}

const FLEET = "packages/server/src/fleet";
const CORE = "packages/server/src/core/fleet";

export const FLEET_MUTANTS: readonly FleetMutant[] = [
	{
		name: "a command that comes twice is carried out twice",
		file: `${FLEET}/commands/command-memory.ts`,
		search: "if (known !== undefined) return {",
		replace: "if (known?.isRunning === true) return {",
	},
	{
		name: "a command is carried out however late it comes",
		file: `${FLEET}/commands/command-server.ts`,
		search: "if (now() > notAfter || notAfter > now() + COMMAND_LIFE_MS + CLOCK_SLACK_MS) {",
		replace: "if (notAfter > now() + COMMAND_LIFE_MS + CLOCK_SLACK_MS) {",
	},
	{
		name: "a command for an earlier run is carried out by the next one",
		file: `${FLEET}/commands/command-server.ts`,
		search: "if (wanted === undefined ? needsInstance(frame.type) : wanted !== instance) {",
		replace: "if (wanted === undefined && needsInstance(frame.type)) {",
	},
	{
		name: "a repetition is audited once more",
		file: `${FLEET}/commands/command-server.ts`,
		search: 'if (!isRepeated && !(verdict === "done"',
		replace: 'if (!(isRepeated && verdict !== "done") && !(verdict === "done"',
	},
	{
		name: "a holder counts itself as one for longer than others wait",
		file: `${FLEET}/lease/lease.ts`,
		search: "export const HOLD_MS = 5_000;",
		replace: "export const HOLD_MS = 15_000;",
	},
	{
		name: "a holder that slept believes the clock that stood still",
		file: `${FLEET}/lease/lease.ts`,
		search: "const now = moment();",
		replace: "const now = { ...renewed, elapsed: clock.elapsed() };",
	},
	{
		name: "the act of an earlier holder is let through",
		file: `${FLEET}/commands/fences.ts`,
		search: "if (seen !== undefined && number < seen) return false;",
		replace: "if (seen !== undefined && number < seen) return true;",
	},
	{
		name: "a reader shows an event after a gap, and looks at no chain",
		file: `${CORE}/remote-conversation.ts`,
		search:
			"event.seq !== shown.seq + 1 || event.frame === undefined) return false;\n	return link(shown.chain, event.frame) === event.chain;",
		replace: 'event.seq <= shown.seq || event.frame === undefined) return false;\n	return link(shown.chain, event.frame) !== "";',
	},
	{
		name: "a reader does not listen to beats",
		file: `${CORE}/remote-conversation.ts`,
		search: "return disagreed < DISAGREEING_BEATS ? ",
		replace: "return disagreed < DISAGREEING_BEATS * 1_000 ? ",
	},
	{
		name: "a reader does not ask a new run of its owner",
		file: `${FLEET}/runtime/other-side.ts`,
		search: "if (isNewRun) watch.doubt();",
		replace: "if (isNewRun && watch.host === beat.instance) watch.doubt();",
	},
	{
		name: "a prompt that may not have arrived is forgotten",
		file: `${CORE}/outbox.ts`,
		search: 'entry.state.kind === "sending" ? { ...entry, state: { kind: "unconfirmed" } } : entry',
		replace: "entry",
	},
	{
		name: "the outbox sends under another id each time",
		file: `${CORE}/remote-conversations.ts`,
		search: "const data = { conversationId, prompt, clientMessageId, ...(attachments",
		replace: "const data = { conversationId, prompt, clientMessageId: clientMessageId + performance.now(), ...(attachments",
	},
	{
		name: "the inbox of a host is not told when it changes",
		file: `${FLEET}/hosts/entry-writer.ts`,
		search: "if (entry !== undefined && written.get(key) === hash) return false;",
		replace: 'if (entry !== undefined && (written.get(key) === hash || key.startsWith("inbox"))) return false;',
	},
];
