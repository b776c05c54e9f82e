import { randomUUID } from "node:crypto";
import { type Schedule, scheduleAnswer, schedulesAnswer } from "@rightseat/protocol/http/schedules";
import * as z from "zod/mini";
import { CliError, EXIT } from "../cli-error.ts";
import { type Api, createApi } from "../connection/api.ts";
import { asCliError } from "../connection/say-problem.ts";
import { findServer } from "../find-server/find-server.ts";
import { paintFor } from "../terminal/colour.ts";
import { jsonLine, writeAll } from "../terminal/output.ts";
import { safeLine } from "../terminal/safe-text.ts";
import { scheduleTable } from "../terminal/schedule-table.ts";
import { wordsIn } from "../words.ts";
import type { CommandContext, RunCommand } from "./command.ts";
import { helpOf } from "./help.ts";
import { type Options, parseOptions } from "./options.ts";
import { SCHEDULE_WORDS } from "./schedule-words.ts";

const FLAGS = {
	json: { type: "boolean" },
	at: { type: "string" },
	cron: { type: "string" },
	timezone: { type: "string" },
	conversation: { type: "string", short: "c" },
	title: { type: "string" },
	agent: { type: "string" },
	model: { type: "string" },
	cwd: { type: "string" },
} as const;
/** A schedule that is made twice runs twice: after a lost line a person looks first. */
const ONCE = { quietMs: 20_000, tries: 1 };

/** `rightseat schedules`: prompts that are sent at a time. */
export const schedules: RunCommand = async (context) => {
	const { language } = context;
	const options = parseOptions(context.argv, FLAGS, language);
	if (options.has("help")) return await helpOf("schedules", context);
	const words = SCHEDULE_WORDS[language];
	const [what = "list", argument, ...more] = options.positionals;
	if (more.length > 0 || (what === "list" && argument !== undefined)) throw new CliError(wordsIn(language).tooManyArguments);
	const act = ACTIONS.get(what);
	if (act === undefined && what !== "list" && what !== "add") throw new CliError(words.unknown(safeLine(what)));
	if (what === "add") checkNew(options, argument, context);
	else if (act !== undefined && argument === undefined) throw new CliError(words.needsId);
	const server = findServer(options, context);
	try {
		if (what === "add")
			return await show(
				context,
				options,
				(await createApi(server, ONCE).post("/api/schedules", newOf(options, argument), scheduleAnswer)).schedule,
			);
		const api = createApi(server);
		const { schedules: all } = await api.get("/api/schedules", schedulesAnswer);
		if (act === undefined) return await list(context, options, all);
		const changed = await act(api, findSchedule(all, argument ?? "", context));
		if (changed === undefined) context.stderr.write(`${words.removed}\n`);
		return changed === undefined ? EXIT.done : await show(context, options, changed);
	} catch (error) {
		throw error instanceof CliError ? error : await asCliError(error, server.url, language);
	}
};

/** Gives the schedule as it is then; undefined: it is gone. */
type Act = (api: Api, schedule: Schedule) => Promise<Schedule | undefined>;

const pathOf = ({ id }: Schedule, more = "") => `/api/schedules/${encodeURIComponent(id)}${more}`;
const setPaused =
	(paused: boolean): Act =>
	async (api, schedule) =>
		(await api.patch(pathOf(schedule), { paused }, scheduleAnswer)).schedule;
const decide = async (api: Api, schedule: Schedule, decision: "run" | "skip") =>
	(await api.post(pathOf(schedule, "/missed"), { decision }, scheduleAnswer)).schedule;

const ACTIONS: ReadonlyMap<string, Act> = new Map<string, Act>([
	["pause", setPaused(true)],
	["resume", setPaused(false)],
	[
		"run",
		async (api, schedule) =>
			schedule.missed === undefined
				? (await api.post(pathOf(schedule, "/run"), { runId: randomUUID() }, scheduleAnswer)).schedule
				: await decide(api, schedule, "run"),
	],
	["skip", (api, schedule) => decide(api, schedule, "skip")],
	[
		"remove",
		async (api, schedule) => {
			await api.delete(pathOf(schedule), z.undefined());
			return undefined;
		},
	],
]);

function checkNew(options: Options, prompt: string | undefined, { language }: CommandContext): void {
	const words = SCHEDULE_WORDS[language];
	if (prompt === undefined || prompt.trim() === "") throw new CliError(wordsIn(language).noPrompt);
	if ((options.text("at") === undefined) === (options.text("cron") === undefined)) throw new CliError(words.needsTime);
	const isNew = NEW_CONVERSATION.some((flag) => options.text(flag) !== undefined);
	if (isNew && options.text("conversation") !== undefined) throw new CliError(words.conversationAndNew);
}

const NEW_CONVERSATION = ["title", "agent", "model", "cwd"] as const;

function newOf(options: Options, prompt: string | undefined): object {
	const given = (names: readonly string[]) =>
		Object.fromEntries(names.flatMap((name) => (options.text(name) === undefined ? [] : [[name, options.text(name)]])));
	const conversationId = options.text("conversation");
	return {
		...{ prompt, ...given(["at", "cron", "timezone"]) },
		...(conversationId === undefined ? { conversation: given(NEW_CONVERSATION) } : { conversationId }),
	};
}

/** By its id, or by as much of its beginning as only it has. */
function findSchedule(all: readonly Schedule[], typed: string, { language }: CommandContext): Schedule {
	const found = typed === "" ? [] : all.filter(({ id }) => id.startsWith(typed));
	const exact = found.find(({ id }) => id === typed) ?? (found.length === 1 ? found[0] : undefined);
	if (exact !== undefined) return exact;
	const words = SCHEDULE_WORDS[language];
	throw new CliError(found.length === 0 ? words.notThere(safeLine(typed)) : words.several(safeLine(typed)));
}

async function list(context: CommandContext, options: Options, all: readonly Schedule[]): Promise<number> {
	const { stdout, stderr, language } = context;
	if (options.has("json")) {
		await writeAll(stdout, all.map(jsonLine));
		return EXIT.done;
	}
	const words = SCHEDULE_WORDS[language];
	if (all.length === 0) stderr.write(`${words.none}\n`);
	const look = { words, language, columns: stdout.isTTY ? stdout.columns : undefined, paint: paintFor(stdout, context.env) };
	await writeAll(stdout, all.length === 0 ? [] : scheduleTable(all, look));
	if (all.some(({ missed }) => missed !== undefined)) stderr.write(`${words.missedHint}\n`);
	return EXIT.done;
}

const show = (context: CommandContext, options: Options, schedule: Schedule) => list(context, options, [schedule]);
