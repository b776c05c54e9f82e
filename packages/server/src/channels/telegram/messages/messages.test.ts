import { expect, test } from "vitest";
import { ERROR_CODES } from "../../../core/kernel/errors.ts";
import { type Language, languageOf, MESSAGES, type Messages } from "./messages.ts";

const CHINESE = /\p{Script=Han}/u;

/** Arguments for every text that has parameters: a text without an example here does not compile. */
type Examples = {
	[K in keyof Messages as Messages[K] extends (...given: never[]) => string ? K : never]: Messages[K] extends (...given: infer A) => string
		? A
		: never;
};
const EXAMPLES: Examples = {
	hello: ["Mei"],
	welcome: ["Mei"],
	greeting: ["AB12-CD34"],
	unknownCommand: ["frobnicate"],
	started: ["gpt-9", "/srv/app"],
	unknownModel: ["gpt-9"],
	modelChanged: ["gpt-9"],
	pickModel: ["gpt-9"],
	noChoices: ["Codex"],
	newTakesNothing: ["Codex"],
	choicesUnknown: ["Codex"],
	unknownChoice: ["frobnicate", "Codex", ["Plan", "High"]],
	choiceChanged: ["mode", "Plan"],
	pickChoice: ["effort", "High"],
	agentState: ["resting"],
	agentChosen: ["Codex"],
	noSuchAgent: ["Codex"],
	hostAway: ["laptop"],
	hostWentAway: ["laptop"],
	waitsForHost: ["laptop"],
	hostLine: ["laptop"],
	switched: ["Fix-the-tests"],
	titled: ["Fix-the-tests"],
	stateLine: ["working", "7 s", 41],
	modelLine: ["gpt-9"],
	directoryLine: ["/srv/app"],
	otherAgentLine: ["Codex", "resting", "ECONNREFUSED"],
	agentLine: ["resting", true, "ECONNREFUSED"],
	port: ["5173"],
	endJob: ["bash_7"],
	jobEnded: ["bash_7"],
	jobStillRuns: ["bash_7"],
	commandsEnded: [41],
	queueDropped: [41],
	late: ["7 s", "deploy-it", 41],
	hearingUnreachable: ["ECONNREFUSED"],
	hearingFailed: [503],
	tooManyFiles: [41],
	fileTooLarge: ["report.pdf", 41],
	fileNotFetched: ["report.pdf", "ECONNREFUSED"],
	questionTimedOut: ["Which-one?"],
	reminder: ["question", 41],
	formAsks: ["releases"],
	formAction: ["accept"],
	budgetReached: [{ used: 1200, limit: 1000, scope: "day", unit: "tokens" }],
	budgetRaise: [2200],
	budgetDecided: ["once"],
	planTake: ["custom_action"],
	subAgentAsks: ["scout"],
	subAgentWorks: ["scout"],
	moreSubAgents: [3],
	planDecided: [{ approved: true }],
	moreCharacters: [41],
	moreInFile: [41, "request.txt"],
	queued: [41, "deploy-it"],
	changed: [41, 7, 9],
	notRecorded: [41],
	undoNow: [41],
	diffCut: [1],
	fileMerged: ["src/a.ts"],
	fileSkipped: ["src/a.ts", "same-lines"],
	moreFiles: [41],
	inboxTitle: [41],
	inboxMore: [41],
	inboxWhy: [{ code: "queue-resting", message: "Prompts wait.", params: { count: 41 } }],
	moreSchedules: [41],
	moreRules: [41],
	rule: [{ text: "git-status", folder: "/shop", exact: true, writes: true }],
	scheduleNext: ["2026-01-02 09:00"],
	scheduleState: ["paused"],
	scheduleLast: ["completed"],
	scheduleMissed: ["2026-01-02 09:00", 41],
	scheduleButton: ["make-up"],
	scheduleDone: ["make-up"],
	contextUsed: ["21,480", "128,000"],
	contextUsedOnly: ["21,480"],
	contextKind: ["messages"],
	trustState: [true],
	trustKind: ["hook"],
	trustOffers: [41],
	trustButton: [true],
	trustDone: [true],
	trustElsewhere: ["laptop"],
	working: ["7 s"],
	stoppedAfter: ["7 s"],
	answerBegins: [41],
	wholeAnswer: [41],
	exitCode: [41],
	elapsed: [41_000],
	error: [{ code: "queue-full", message: "41 prompts wait already.", params: { reason: "too-many", count: 41 } }],
	notice: [{ code: "stalled", message: "No word from the model for 41 s.", params: { seconds: 41 } }],
};
/** Words that stand for a state are said in the language; every other value stands in the text as it is. */
const STATES = new Set<unknown>([
	"working",
	"resting",
	"question",
	"accept",
	"same-lines",
	"once",
	"paused",
	"completed",
	"make-up",
	"hook",
	"messages",
	true,
]);

function say(language: Language, name: string): { text: string; values: unknown[] } {
	const value = Object.entries(MESSAGES[language]).find(([key]) => key === name)?.[1];
	const given = Object.entries(EXAMPLES).find(([key]) => key === name)?.[1] ?? [];
	const text = typeof value === "function" ? Reflect.apply(value, undefined, given) : [value].flat().join("");
	return { text: String(text), values: [...given] };
}

test("[TG114] every text of the bot is there in both languages, with all of its values", () => {
	const names = Object.keys(MESSAGES.en);
	expect(Object.keys(MESSAGES["zh-Hant"]).sort()).toEqual(names.toSorted());
	expect(names.length).toBeGreaterThan(120);
	const wrong = names.flatMap((name) => {
		const [english, chinese] = [say("en", name), say("zh-Hant", name)];
		const values = english.values.filter((value) => typeof value !== "object" && !STATES.has(value) && name !== "elapsed");
		const missing = [english, chinese].flatMap(({ text }) => values.filter((value) => !text.includes(String(value))));
		if (missing.length === 0 && !CHINESE.test(english.text) && CHINESE.test(chinese.text)) return [];
		return [{ name, english: english.text, chinese: chinese.text, missing }];
	});
	expect(wrong).toEqual([]);
});

test("[TG120] every error of the server is said in Chinese by its code and values, without the English sentence", () => {
	const { error, notice } = MESSAGES["zh-Hant"];
	const cause = "The English sentence.";
	const wrong = ERROR_CODES.map((code) => [code, error({ code, message: cause })]).filter(
		// A sentence that needs values stands in English when they did not come.
		([, text = ""]) => (!CHINESE.test(text) || text.includes(cause)) && text !== cause,
	);
	expect(wrong).toEqual([]);
	const missing = { code: "cwd-missing", message: cause, params: { reason: "missing", path: "/nowhere" } };
	expect(error(missing)).toBe("目錄 /nowhere 不存在，請建立它或改選其他目錄。");
	expect(notice({ code: "stalled", message: cause, params: { seconds: 60 } })).toBe("模型已 60 秒沒有回應。");
	expect(error({ code: "from-a-newer-server", message: cause })).toBe(cause);
	expect(MESSAGES.en.error({ code: "queue-full", message: cause })).toBe(cause);
});

test("[TG114] Chinese of every kind is spoken to in Traditional Chinese, everybody else in English", () => {
	expect(["zh-hant", "zh-TW", "ZH", "en", "fr", undefined].map(languageOf)).toEqual(["zh-Hant", "zh-Hant", "zh-Hant", "en", "en", "en"]);
	expect(MESSAGES["zh-Hant"].elapsed(65_000)).toBe("1 分 5 秒");
});
