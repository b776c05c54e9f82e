import { formatElapsed } from "@rightseat/protocol/duration";
import type { RunOutcome, Schedule } from "@rightseat/protocol/http/schedules";
import type { BudgetDecision, ReachedLimit } from "@rightseat/protocol/model/budget";
import { sayReason } from "@rightseat/protocol/sentences/change-sentences";
import { describeReached } from "@rightseat/protocol/sentences/describe-reached";
import type { CodedMessage } from "@rightseat/protocol/sentences/say-coded";
import type { RuntimeHealth } from "../../../core/ports/agent-runtime.ts";
import { contextEnglish } from "./context-words.ts";
import { englishPlanWords } from "./plan-words.ts";
import { englishRuleWords } from "./rule-words.ts";
import { englishSubAgentWords } from "./sub-agent-words.ts";
import { trustEnglish } from "./trust-messages.ts";
import { turnEnglish } from "./turn-words.ts";

const AGENT_STATES: Readonly<Record<RuntimeHealth["state"], string>> = {
	off: "off",
	starting: "starting",
	ready: "ready",
	restarting: "restarting",
	resting: "resting",
	stopped: "stopped",
	"login-needed": "needs a login",
	missing: "not installed",
};
const count = (number: number, noun: string) => `${number} ${noun}${number === 1 ? "" : "s"}`;
const characters = (number: number) => number.toLocaleString("en");

/** Everything the bot says, in English. The other languages have the same keys; `messages.ts` holds them to it. */
export const english = {
	help: `Write what you want done; the agent answers here and on the page, it is the same conversation.
• !command runs in its shell, for example !git status
• Photos, documents and voice messages go to the agent
• Reply to a message to quote it; edit a queued one to change it

/new [mode] [effort] start a new conversation
/stop stop what is running
/inbox what waits for you, in every conversation
/schedules what is sent at a time
/trust what the folder would run, and whether it may
/permissions commands that are always allowed
/status what is going on
/list pick another conversation
/model [name] show or change the model
/agent [name] show the agents, or choose the one of new conversations
/mode [name], /effort [name] show or change how the agent works
/cwd [path] show or change the working directory
/context what fills the model's context, /compact to make room
/aside QUESTION ask something that is kept nowhere, also while it works
/ps background processes
/fork go on in a copy of this conversation
/reset forget this conversation here
/link open it on the page, or /link CODE to take one over from there`,
	...contextEnglish,
	...turnEnglish,
	...trustEnglish,
	hello: (name: string) => `Hello ${name}.`,
	welcome: (name: string) => `Welcome, ${name}. Write what you want done; /help tells the rest.`,
	greeting: (code: string) =>
		`This bot belongs to somebody. If that is you, open the page of Rightseat, choose Settings, Telegram, and type this code within 15 minutes:\n\n${code}`,
	unknownCommand: (name: string) => `I do not know /${name}. /help lists what I understand; it was not sent to the agent.`,

	menuNew: "Start a new conversation here",
	menuStop: "Stop what is running and empty the queue",
	menuStatus: "What is going on in this conversation",
	menuInbox: "What waits for you, in every conversation",
	menuSchedules: "What is sent at a time",
	...englishRuleWords,
	menuList: "Pick another conversation",
	menuModel: "Show or change the model",
	menuAgent: "Show the agents, or choose one for new conversations",
	menuMode: "Show or change the mode of the agent",
	menuEffort: "Show or change how hard the model thinks",
	menuCwd: "Show or change the working directory",
	menuPs: "Background processes, with a button to end each",
	menuFork: "Go on in a copy of this conversation",
	menuReset: "Forget this conversation here; the page keeps it",
	menuLink: "Open this conversation on the page, or link one by code",
	menuHelp: "How this works",

	newConversation: "New conversation",
	inboxTitle: (number: number) => `📥 ${number} ${number === 1 ? "waits" : "wait"} for you`,
	inboxMore: (number: number) => `… and ${number} more: /inbox again when these are done.`,
	inboxEmpty: "📥 Nothing waits for you.",
	inboxOld: "📥 This list is old: /inbox shows the one of now.",
	/** Why something waits. */
	inboxWhy: ({ message }: CodedMessage) => message,
	inboxOpen: "Open here",
	inboxSeen: "Seen",
	inboxLater: "In an hour",
	noSchedules: "🗓 Nothing is scheduled. The page makes schedules: /schedules there.",
	moreSchedules: (number: number) => `… and ${number} more on the page.`,
	scheduleNext: (time: string) => `next ${time}`,
	scheduleState: (state: Schedule["state"]) =>
		({ waiting: "waiting", paused: "paused", done: "no time is left", "conversation-gone": "resting: its conversation was deleted" })[
			state
		],
	scheduleLast: (outcome: RunOutcome) => `Last run: ${outcome}`,
	scheduleMissed: (time: string, number: number) => (number === 1 ? `⚠️ Missed: ${time}` : `⚠️ Missed ${number} times since ${time}`),
	scheduleButton: (what: "run" | "pause" | "resume" | "make-up" | "skip") =>
		({ run: "Run now", pause: "Pause", resume: "Continue", "make-up": "Run it now", skip: "Skip it" })[what],
	scheduleDone: (what: "run" | "pause" | "resume" | "make-up" | "skip") =>
		({ run: "Sent.", pause: "Paused.", resume: "It goes on.", "make-up": "Sent.", skip: "Skipped." })[what],
	inboxPutOff: "It comes back in an hour.",
	started: (model: string, cwd: string) => `New conversation with ${model} in ${cwd}.`,
	earlierStays: "The one before stays on the page and in /list.",
	nothingToFork: "There is nothing to fork. Your next message starts a new conversation.",
	nothingToReset: "There is nothing to reset. Your next message starts a new conversation.",
	reset: "Reset. Your next message starts a new conversation; this one stays on the page.",
	deletedOnPage: "This conversation was deleted on the page. Your next message starts a new one.",
	unknownModel: (name: string) => `There is no model “${name}”. /model lists the ones there are.`,
	modelChanged: (model: string) => `The model is ${model} from the next message on. The history stays.`,
	pickModel: (model: string) => `The model is ${model}. Pick another, or write /model NAME.`,
	ownModel: "the agent’s own choice",
	noChoices: (agent: string) => `${agent} has nothing of that kind to choose from.`,
	newTakesNothing: (agent: string) => `/new takes a mode and an effort, and ${agent} has none to choose from. Write /new alone.`,
	choicesUnknown: (agent: string) => `What ${agent} offers is known once it has been open here. Write to it first.`,
	unknownChoice: (name: string, agent: string, offered: readonly string[]) => `${agent} has no “${name}”. It has: ${offered.join(", ")}.`,
	choiceChanged: (setting: "mode" | "effort", name: string) => `The ${setting} is ${name} from the next message on. The history stays.`,
	pickChoice: (setting: "mode" | "effort", name: string) => `The ${setting} is ${name}. Pick another, or write /${setting} NAME.`,
	agentState: (state: RuntimeHealth["state"]) => AGENT_STATES[state],
	agentsAre: "Agents. ● drives the next new conversation of this chat; a conversation keeps its agent.",
	agentChosen: (name: string) => `New conversations of this chat begin with ${name}. /new starts one.`,
	noSuchAgent: (name: string) => `There is no agent “${name}”. /agent lists the ones there are.`,
	/** The directory stands between the two. */
	directoryIs: ["The working directory is ", ". Change it with /cwd PATH."],
	directoryChanged: ["The working directory is now ", "."],
	noConversations: "There are no conversations yet. Write something to start one.",
	pickConversation: "Pick the conversation for this chat:",
	nothingToLink: "Write something first; then this chat has a conversation to open. With a code from the page: /link CODE.",
	openOnPage: "Open on the page",
	linkHere: "Open the page on your machine: this conversation is in its list.",
	linkThere: "Continue on the page:",
	linkBack: "To bring one from the page here, choose “Telegram” there and send me the code: /link CODE.",
	badLinkCode: "This code is unknown or too old. Make a new one on the page; it works once, for ten minutes.",
	hostAway: (host: string) => `💤 ${host} is offline. You can read; what you send waits until it is back.`,
	hostWentAway: (host: string) => `💤 ${host} went offline. What it was doing is shown when it is back.`,
	waitsForHost: (host: string) => `📮 ${host} is offline. Your message waits here and goes out when it is back.`,
	leftBehind: "📄 More was to be said here than could be carried to another host. The page has all of it.",
	hostLine: (host: string) => `Host: ${host}`,
	switched: (title: string) => `This chat shows “${title}” now.`,
	you: "You",
	agent: "Agent",

	noConversation: "No conversation in this chat yet. Write something to start one.",
	titled: (title: string) => `“${title}”`,
	stateLine: (state: "asking" | "working" | "idle", since: string | undefined, queued: number) => {
		const words = { asking: "waiting for your answer", working: "working", idle: "idle" };
		return `State: ${words[state]}${since === undefined ? "" : ` for ${since}`}${queued === 0 ? "" : `, ${queued} queued`}`;
	},
	modelLine: (model: string) => `Model: ${model}`,
	directoryLine: (cwd: string) => `Directory: ${cwd}`,
	otherAgentLine: (name: string, state: RuntimeHealth["state"], problem: string | undefined) =>
		`Agent: ${name}, ${AGENT_STATES[state]}${problem === undefined ? "" : ` – ${problem}`}`,
	agentLine: (state: RuntimeHealth["state"], isDemo: boolean, problem: string | undefined) =>
		`Agent: ${AGENT_STATES[state]}${isDemo ? " (demo)" : ""}${problem === undefined ? "" : ` – ${problem}`}`,
	noProcesses: "No background process runs in this conversation.",
	commandRuns: "One of your commands is running.",
	port: (ports: string) => `port ${ports}`,
	endJob: (id: string) => `⏹ End ${id}`,
	endCommand: "⏹ End your command",
	jobEnded: (id: string) => `Ended ${id}.`,
	jobStillRuns: (id: string) => `${id} was told to end but still runs. Look again in a while.`,

	stop: "⏹ Stop",
	stopped: "Stopped.",
	nothingRuns: "Nothing is running.",
	commandsEnded: (number: number) => `${count(number, "command")} ended.`,
	queueDropped: (number: number) => `${count(number, "queued message")} dropped.`,
	inputDropped: "Dropped what you were sending.",

	buttonExpired: "This button has expired. Ask again.",
	failed: "That did not work. The log has the details.",
	answered: "Answered.",
	typeAnswer: "Type your answer as the next message.",
	denied: "Denied.",
	allowed: "Allowed.",
	sendingNow: "Sending it now.",
	dropped: "Dropped.",
	ending: "Ending it.",
	hasEnded: "It has ended already.",
	sendingAgain: "Sending it again.",
	sentAgain: "It was sent again already.",
	runningNow: "Running it now.",

	late: (age: string, text: string, more: number) =>
		`You wrote this ${age} ago, while I was away: “${text}”${more === 0 ? "" : ` and ${more} more`}. Run it now?`,
	runLate: "▶ Run it now",
	dropLate: "✖ Drop",
	inDoubt: "⚠️ My last message may not have arrived: Telegram did not confirm it.",
	sendAgain: "Send it again",
	tooMuchAtOnce: "Too many messages at once. Wait a moment and send the rest again.",

	unreadable: "I understand text, photos, documents and voice messages. This one I cannot read.",
	needsButton: "This question takes one of its buttons. Tap one, or /stop.",
	shellIsNoAnswer: "That runs in the shell; it is no answer. The question still waits for your next message.",
	tooLateToEdit: "The agent has this message already. Send the correction as a new one.",
	cannotHear: "I cannot hear yet. Set RIGHTSEAT_TRANSCRIBE_URL to an OpenAI-compatible transcription service, then send it again.",
	hearingUnreachable: (why: string) => `The transcription service cannot be reached (${why}).`,
	hearingFailed: (status: number) => `The transcription service answered ${status}.`,
	heardNothing: "The transcription service heard nothing.",
	tooManyFiles: (most: number) => `One message takes at most ${most} files.`,
	fileTooLarge: (name: string, megabytes: number) => `${name} is too large: at most ${megabytes} MB.`,
	fileNotFetched: (name: string, why: string) => `${name} could not be fetched from Telegram (${why}). Send it again.`,

	formAsks: (source: string) => `📝 The MCP server ${source} asks:`,
	formNeeded: "needed",
	formSkip: "Skip",
	formYes: "✅ Yes",
	formNo: "No",
	formDone: "✅ Done",
	formDecline: "⛔ Decline",
	formAction: (action: "accept" | "decline" | "cancel") => ({ accept: "Filled in.", decline: "Declined.", cancel: "Not now." })[action],
	nextIsAnswer: "Your next message is the answer.",
	other: "Other…",
	expiredByRestart: "⌛ Expired by a restart. Ask again if it still matters.",
	answeredOnWeb: "(answered on the web)",
	answeredElsewhere: "(answered elsewhere)",
	turnStopped: "⏹ The turn was stopped.",
	expired: "⌛ Expired: nobody answered in time.",
	questionTimedOut: (question: string) => `⌛ The question timed out, so the agent continues without an answer: ${question}`,
	reminder: (what: "question" | "permission", secondsLeft: number | undefined) => {
		const left = secondsLeft === undefined ? "" : `: ${secondsLeft} s left`;
		return `⏰ ${what === "question" ? "The question" : "The permission request"} still waits for you${left}.`;
	},
	movedAway: "This chat shows another conversation now; answer on the page.",
	mayI: "May I?",
	moreCharacters: (number: number) => `… (${characters(number)} more characters)`,
	moreInFile: (number: number, file: string) => `… ${characters(number)} more characters. All of it is in ${file} above: read that first.`,
	allowOnce: "✅ Allow once",
	allowSession: "✅ Allow exactly this for this session",
	deny: "⛔ Deny",
	allowedOnce: "Allowed once",
	allowedSession: "Allowed for this session, exactly this",
	wasDenied: "Denied",
	budgetReached: (reached: ReachedLimit) =>
		`🪙 A limit is reached: ${describeReached(reached)}. What now? A reply with a number is a new limit.`,
	...englishPlanWords,
	...englishSubAgentWords,
	budgetOnce: "▶️ Go on with this turn",
	budgetRaise: (limit: number) => `⬆️ Raise to ${limit}`,
	budgetStop: "⏹ Stop",
	budgetDecided: (decision: BudgetDecision) => ({ once: "This turn goes on", raise: "The limit was raised", stop: "Stopped" })[decision],
	budgetOver: "⌛ The day is over: it goes on.",

	queued: (position: number, text: string) => `🕓 Queued #${position}: ${text}`,
	sendNow: "⚡ Send now",
	cancel: "✖ Cancel",
	queuedElsewhere: "🕓 Waiting in a conversation that this chat no longer shows.",
	droppedFromQueue: "✖ Dropped from the queue.",
	steered: "⚡ Sent into the running turn.",

	changed: (files: number, added: number, removed: number) => `📝 ${count(files, "file")} +${added} −${removed}`,
	notRecorded: (paths: number) => `⚠️ ${count(paths, "path")} not recorded`,
	diff: "📄 Diff",
	undo: "↩ Undo…",
	undoNow: (files: number) => `↩ Undo ${count(files, "file")}`,
	redo: "↪ Bring back",
	diffSent: "The diff comes as a file.",
	diffCut: (megabytes: number) => `Only the first ${megabytes} MB; the page has all of it.`,
	nothingToShow: "There is no text to show.",
	lookBelow: "See below what it would do.",
	undoWould: "Undo would do this:",
	nothingToUndo: "There is nothing left to undo.",
	nothingToRedo: "There is nothing to bring back.",
	undone: "↩ Undone.",
	redone: "↪ Brought back.",
	fileMerged: (path: string) => `${path}: merged with what was edited since`,
	fileSkipped: (path: string, reason: string) => `${path}: ${sayReason(reason, "en")}`,
	moreFiles: (files: number) => `… and ${files} more`,

	answerBegins: (length: number) => `The first ${characters(length)} characters of the answer. The page has all of it.`,
	wholeAnswer: (length: number) => `The whole answer: ${characters(length)} characters.`,
	wholeOutput: "The whole output.",
	bySignal: "ended by a signal",
	exitCode: (code: number) => `exit code ${code}`,
	elapsed: (ms: number) => formatElapsed(ms),

	/** An error of the server, by its code and values; in English it says it itself. */
	error: ({ message }: CodedMessage) => message,
	/** A notice about a running turn, by its code and values. */
	notice: ({ message }: CodedMessage) => message,
} as const;
