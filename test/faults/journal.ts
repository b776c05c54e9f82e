import { appendFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import * as z from "zod/mini";

const headSchema = z.object({
	rounds: z.number(),
	seed: z.number(),
	browser: z.boolean(),
	/** Of what kind the small disk was; see `Disk`. */
	disk: z.string(),
	/** Faults that this machine does not permit, with the reason. */
	left: z.array(z.string()),
	begunAt: z.string(),
	plan: z.array(z.object({ pilot: z.enum(["copilot", "acp"]), seed: z.number(), faults: z.array(z.string()) })),
});
const resultSchema = z.object({
	seed: z.number(),
	faults: z.array(z.string()),
	prompts: z.number(),
	commands: z.number(),
	findings: z.array(z.string()),
	ms: z.number(),
});

/** What a run set out to play. */
export type JournalHead = z.infer<typeof headSchema>;
/** What became of one round. */
export type RoundResult = z.infer<typeof resultSchema>;

/** A run on disk: its plan in the first line, then a line for every round as it ends, so that one that is cut can be continued. */
export function beginJournal(file: string, head: JournalHead): void {
	mkdirSync(dirname(file), { recursive: true });
	writeFileSync(file, `${JSON.stringify(head)}\n`);
}

export const addToJournal = (file: string, result: RoundResult): void => appendFileSync(file, `${JSON.stringify(result)}\n`);

/** Throws an Error with a sentence for people. A last line that was cut is a round that was not played. */
export function readJournal(file: string): { head: JournalHead; results: RoundResult[] } {
	if (!existsSync(file)) throw new Error(`There is no journal ${file} to continue.`);
	const [first = "", ...lines] = readFileSync(file, "utf8").split("\n");
	const head = headSchema.safeParse(parsed(first));
	if (!head.success) throw new Error(`${file} is no journal of this suite.`);
	const results = lines.flatMap((line) => {
		const result = resultSchema.safeParse(parsed(line));
		return result.success ? [result.data] : [];
	});
	return { head: head.data, results };
}

function parsed(line: string): unknown {
	try {
		return JSON.parse(line);
	} catch {
		return undefined;
	}
}
