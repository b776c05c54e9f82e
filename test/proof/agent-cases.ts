import type { CaseTest, ProofCase } from "./proof-case.ts";

const DEATH = "test/features/agent/acp-death.server.test.ts";
const STOP = "test/features/agent/acp-stop.server.test.ts";
const TURNS = "test/features/agent/acp-turns.server.test.ts";
const SESSIONS = "test/features/agent/acp-sessions.server.test.ts";
const WHOLE = "test/features/agents/misbehaviour.server.test.ts";
const LEAVING = "test/features/agents/leaving.server.test.ts";
const IN_TIME = "[AT9]";

const at = (file: string, name: string, row?: string): CaseTest => ({ file, name, ...(row === undefined ? {} : { row }) });
/** In a turn of the whole server: it ends once, in time and readably, and the next one goes on in the same history. */
const whole = (...rows: string[]) => rows.map((row) => at(WHOLE, IN_TIME, JSON.stringify(row)));

/** Thirty ways in which agents over ACP were seen to misbehave, and ten more, each played by the scripted agent. */
export const AGENT_CASES: readonly ProofCase[] = [
	{
		number: 1,
		what: "dies by a signal in mid-text",
		outcome: "interrupted within a second; the words stay; the next prompt goes on in the same history",
		tests: [at(DEATH, "[AC70] an agent that dies"), ...whole("die")],
	},
	{ number: 2, what: "exits with 0 in mid-turn", outcome: "as above", tests: whole("exit 0") },
	{
		number: 3,
		what: "frozen (SIGSTOP), or its event loop is blocked",
		outcome: "ended after a quarter of a minute, with a sentence",
		tests: [at(DEATH, "[AC71] an agent without a sign of life"), at(DEATH, "[AC140]"), at(DEATH, "[AC340]"), ...whole("freeze", "block")],
	},
	{
		number: 4,
		what: "alive, but what is behind it is frozen: it answers pings and hears no stop",
		outcome: "a stop takes at most two seconds; then the process is ended",
		tests: [at(STOP, "[AC75] an agent that does not listen", "deaf"), ...whole("deaf")],
	},
	{
		number: 5,
		what: "its inner process is dead",
		outcome: "one readable error; the next prompt resumes the session by itself",
		tests: [at(DEATH, "[AC74]"), ...whole("inner-death")],
	},
	{
		number: 6,
		what: "dead, and a grandchild holds its output open",
		outcome: "noticed within a second: nobody waits for the end of the pipe",
		tests: whole("hold-stdout 20000"),
	},
	{
		number: 7,
		what: "closes its output and lives, or stops reading its input",
		outcome: "ended like a dead or a frozen one",
		tests: [at(DEATH, "[AC70] an agent that closes its output"), ...whole("close-stdout", "stop-reading")],
	},
	{
		number: 8,
		what: "never answers `initialize`, or exits at once with a sentence",
		outcome: "given up after the limit; its own sentence is shown; nothing is left of it",
		tests: [at(DEATH, "[AC73] an agent that does not answer"), at(DEATH, "[AC73] an agent ")],
	},
	{
		number: 9,
		what: "`session/new` never answered, as behind an MCP server that hangs",
		outcome: "given up after the limit, with the reason",
		tests: [at(DEATH, "[AC73] an agent that does not answer")],
	},
	{
		number: 10,
		what: "all text came, and the prompt is never answered",
		outcome: "the silence is told; a stop ends it in two seconds",
		tests: [at(STOP, "[AC75] an agent that does not listen", "no-answer"), at(TURNS, "[AC28]"), ...whole("no-answer")],
	},
	{
		number: 11,
		what: "ignores a stop while a permission waits",
		outcome: "the request is taken back and the turn ends",
		tests: [at(STOP, "[AC75] a stop while a permission waits")],
	},
	{
		number: 12,
		what: "answers a stop with `end_turn` or with an error",
		outcome: "the turn is stopped, as the person wanted",
		tests: [at(STOP, "[AC75] a stop that the agent answers"), ...whole("cancel-as end_turn", "cancel-as error")],
	},
	{ number: 13, what: "`cancelled` that nobody asked for", outcome: "one end; the next turn goes on", tests: whole("stop cancelled") },
	{
		number: 14,
		what: "two answers to one prompt, or an answer to nothing",
		outcome: "the second changes no turn",
		tests: [at(TURNS, "[AC77]"), ...whole("twice", "unknown-response")],
	},
	{
		number: 15,
		what: "title, usage and output after the answer",
		outcome: "kept, and told at the beginning of the next turn",
		tests: [at(TURNS, "[AC78] what an agent says"), ...whole("late A late title")],
	},
	{
		number: 16,
		what: "a whole turn that nobody asked for, with a permission request in it",
		outcome: "its words stand in the next turn; the permission is refused, and that is told",
		tests: [at(TURNS, "[AC78]"), at(WHOLE, "[AT10] a permission after the end"), ...whole("unprompted By the way.")],
	},
	{
		number: 17,
		what: "updates before the session is open, or for one that we do not know",
		outcome: "nobody's: shown nowhere",
		tests: [at(TURNS, "[AC79]"), at(WHOLE, "[AT10]", '"stranger"')],
	},
	{
		number: 18,
		what: "a tool that is never closed",
		outcome: "ended with its turn",
		tests: [at(TURNS, "[AC80]"), ...whole("open-tool")],
	},
	{
		number: 19,
		what: "an update for a tool that was never announced; a permission without title and input",
		outcome: "shown when it ends; asked for all the same",
		tests: [at(TURNS, "[AC80]"), ...whole("orphan-update", "bare-permit")],
	},
	{
		number: 20,
		what: "a finished tool is opened again or announced twice",
		outcome: "shown once and ended once",
		tests: [at(TURNS, "[AC80]"), ...whole("reopen")],
	},
	{
		number: 21,
		what: "an error of the model as an answer",
		outcome: "an error where the agent is known for it, else its own words",
		tests: [at(TURNS, "[AC81] an error of the model"), ...whole("error-text Error: 401")],
	},
	{
		number: 22,
		what: "tries again in silence for minutes",
		outcome: "not dead: the silence is told after 20 s and every minute",
		tests: [at(TURNS, "[AC28]"), ...whole("slow 60000")],
	},
	{
		number: 23,
		what: "text is repeated after a cut stream",
		outcome: "shown as it came",
		tests: [at(TURNS, "[AC81] text that is repeated"), ...whole("repeat again ")],
	},
	{
		number: 24,
		what: "a prompt is swallowed: an end without a word",
		outcome: "an error that says so",
		tests: whole("swallow"),
	},
	{
		number: 25,
		what: "unknown updates, contents, stop reasons, `null` results, positive error codes",
		outcome: "one readable end; the next turn works",
		tests: [at(TURNS, "[AC81] whatever a prompt"), ...whole("odd", "null", "stop banana", "fail 1001 no model")],
	},
	{
		number: 26,
		what: "requests that we never announced (`fs/write_text_file`, `craft/drainMidTurnQueue`)",
		outcome: "refused at once with -32601",
		tests: [at(TURNS, "[AC82]"), at(WHOLE, "[AT10]", "fs/write_text_file"), at(WHOLE, "[AT10]", "craft/drainMidTurnQueue")],
	},
	{
		number: 27,
		what: "noise, half lines, split characters, lone surrogates, a line of 40 MB, 50,000 updates, endless stderr",
		outcome: "no harm, or one readable end",
		tests: [
			at(TURNS, "[AC83]"),
			...whole("noise", "half-line", "split grüße 你好 🙂", "surrogate", "big-line 40", "flood 50000", "stderr-flood 20"),
		],
	},
	{
		number: 28,
		what: "resume fails, a session is gone or in use elsewhere, options are reset",
		outcome: "loaded, else new and said to be lost; refused where in use; options are set again",
		tests: [at(SESSIONS, "[AC84]"), at(SESSIONS, "[AC50] whatever mode")],
	},
	{
		number: 29,
		what: "works on after we left: ignores the end, leaves orphans and commands of their own session",
		outcome: "everything that it started is ended, with it, its conversation and the server",
		tests: [
			at(DEATH, "[AC76]"),
			at(STOP, "[AC76]"),
			at(LEAVING, "[AC104]"),
			at(LEAVING, "[AC403]"),
			at(LEAVING, "[AC404]"),
			...whole("daemon", "stubborn sleep 600"),
		],
	},
	{ number: 30, what: "two processes on one session", outcome: "never", tests: [at(STOP, "[AC85]")] },
	{ number: 31, what: "bytes that are no UTF-8", outcome: "no harm", tests: [at(TURNS, "[AC83] noise"), ...whole("invalid-utf8")] },
	{
		number: 32,
		what: "an answer of many megabytes in one line",
		outcome: "whole and in order up to 30 MB, then one readable end",
		tests: [at(TURNS, "[AC410]"), ...whole("big-line 1", "big-line 30", "big-line 100")],
	},
	{
		number: 33,
		what: "a message with 100,000 values; with a million",
		outcome: "shown within bounds; one readable end",
		tests: [at(TURNS, "[AC411]"), ...whole("many-values 100000", "many-values 1000000")],
	},
	{ number: 34, what: "its last words before death are a large line", outcome: "heard", tests: [at(TURNS, "[AC413]")] },
	{
		number: 35,
		what: "leaves our pings without an answer",
		outcome: "not taken for frozen",
		tests: [at(DEATH, "[AC71] an agent that leaves pings")],
	},
	{
		number: 36,
		what: "dies again and again",
		outcome: "rests, says so, and can be woken",
		tests: [at(DEATH, "[AC87] an agent that dies again")],
	},
	{
		number: 37,
		what: "is not there, or not logged in",
		outcome: "says so, with the command that helps",
		tests: [at(DEATH, "[AC87] an agent that is not there")],
	},
	{
		number: 38,
		what: "begins in, or puts itself into, a mode in which it asks nobody",
		outcome: "put back; where it stays it gets no prompt",
		tests: [at(SESSIONS, "[AC50]"), at(SESSIONS, "[AC252]")],
	},
	{
		number: 39,
		what: "loses its history while its session is held",
		outcome: "told in the next turn",
		tests: [at(SESSIONS, "[AC84] a session that is lost while")],
	},
	{
		number: 40,
		what: "runs a command in its own shell, or edits, without being allowed",
		outcome: "asked for, shown as its own, and not run when it is refused",
		tests: [at(STOP, "[AC86]")],
	},
];
