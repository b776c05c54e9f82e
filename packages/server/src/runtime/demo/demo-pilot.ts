import type { ChatRequest } from "./chat-request.ts";
import { type DemoTexts, english } from "./texts-english.ts";
import { traditionalChinese } from "./texts-traditional-chinese.ts";

export type DemoStep = { kind: "reasoning" | "text"; content: string } | { kind: "tool"; name: string; arguments: object };

/** Decides what the demo pilot says or does next. Pure: the same request gets the same answer. */
export function answerDemo(request: ChatRequest): DemoStep[] {
	const texts = /\p{Script=Han}/u.test(personsWords(request.prompt)) ? traditionalChinese : english;
	const steps = nextSteps(request, texts);
	const first = steps.find((step) => step.kind === "text");
	// Whoever reads only one answer must still see that no model wrote it.
	if (first?.kind === "text" && !request.spoken) first.content = `*${texts.label}*\n\n${first.content}`;
	return steps;
}

function nextSteps(request: ChatRequest, texts: DemoTexts): DemoStep[] {
	const last = request.calls.at(-1);
	if (last === undefined) return openingSteps(request, texts);
	if (last.name === "ask_user") return reactToAnswer(last.result, request, texts);
	const command = String(last.arguments.command ?? "");
	if (command === LIST_COMMAND) return [thought(texts.listed.thought), say(texts.listed.summary(readListing(last.result)))];
	const fileName = FILE_IN_COMMAND.exec(command)?.[1];
	if (fileName !== undefined)
		return [say(last.result.includes(FILE_EXISTS) ? texts.fileExists(fileName) : texts.fileWritten(fileName, output(last.result)))];
	return [say(texts.menu)];
}

function openingSteps(request: ChatRequest, texts: DemoTexts): DemoStep[] {
	const { prompt } = request;
	const words = personsWords(prompt);
	const seen = prompt.includes(SHELL_MARK) ? [thought(texts.shell.thought), say(`${texts.shell.summary(readShellContext(prompt))}\n`)] : [];
	const intent = INTENTS.find(([, pattern]) => pattern.test(words))?.[0];
	// "What happened?" after a command asks about the command, not about Rightseat.
	if (seen.length > 0 && (intent === undefined || intent === "about")) return seen;
	const steps = intent === undefined ? [thought(texts.menuThought), say(texts.menu)] : perform(intent, request, texts);
	// One thought per answer: a second one in the middle would be shown after text that it comes before.
	return seen.length === 0 ? steps : [...seen, ...steps.filter((step) => step.kind !== "reasoning")];
}

type Intent = "write" | "list" | "ask" | "connect" | "markdown" | "long" | "about";

const INTENTS: [Intent, RegExp][] = [
	["write", /\b(write|create|make|save)\b.*\b(file|script)\b|(寫|建立|新增|產生|存).*(檔|文件|腳本)/is],
	["list", /\b(list|ls|files?|director(y|ies)|folder|bash|command|tests?)\b|列出|檔案|目錄|資料夾|指令|測試/i],
	["ask", /\bask\b|\bquestions?\b|\bchoices?\b|\bchoose\b|問我|問題|選項|選擇/i],
	["connect", /\b(connect|real model|token|provider|api key|ollama|set ?up|configure)\b|連接|連線|接上|真正的模型|真的模型|金鑰|設定/i],
	["markdown", /\b(markdown|code|table|examples?|show)\b|程式碼|表格|範例|示範/i],
	["long", /\b(long|story|stream|count|continue|go on)\b|長一點|長文|故事|串流|繼續/i],
	["about", /\b(what|who|hello|hi|hey|help|about|rightseat)\b|什麼|誰|你好|哈囉|介紹|說明|幫助/i],
];

function perform(intent: Intent, request: ChatRequest, texts: DemoTexts): DemoStep[] {
	switch (intent) {
		case "write": {
			const fileName = FILE_NAME.exec(personsWords(request.prompt))?.[0] ?? "hello-from-rightseat.md";
			return withTool(request, texts, "Bash", [
				thought(texts.write.thought(fileName)),
				say(texts.write.before(fileName)),
				{
					kind: "tool",
					name: "Bash",
					arguments: { command: writeCommand(fileName, texts.write.content), description: texts.write.description },
				},
			]);
		}
		case "list":
			return withTool(request, texts, "Bash", [
				thought(texts.list.thought),
				say(texts.list.before),
				{ kind: "tool", name: "Bash", arguments: { command: LIST_COMMAND, description: texts.list.description } },
			]);
		case "ask":
			return withTool(request, texts, "ask_user", [
				thought(texts.ask.thought),
				say(texts.ask.before),
				{
					kind: "tool",
					name: "ask_user",
					arguments: { question: texts.ask.question, choices: [...texts.ask.choices], allow_freeform: true },
				},
			]);
		case "connect":
			return [thought(texts.connectThought), say(texts.connect)];
		case "markdown":
			return [thought(texts.markdownThought), say(texts.markdown)];
		case "long":
			return [thought(texts.longThought), say(texts.long)];
		case "about":
			return [thought(texts.aboutThought), say(texts.about)];
	}
}

function withTool(request: ChatRequest, texts: DemoTexts, tool: string, steps: DemoStep[]): DemoStep[] {
	return request.tools.includes(tool) ? steps : [say(texts.noTool(tool))];
}

function reactToAnswer(result: string, request: ChatRequest, texts: DemoTexts): DemoStep[] {
	const answer = result.replace(/^User (selected|responded): /, "").trim();
	const [showcase, listing, connect] = texts.ask.choices;
	const reaction = say(texts.answered(answer));
	if (answer === showcase) return [reaction, say(texts.markdown)];
	if (answer === listing) return [reaction, ...perform("list", request, texts)];
	if (answer === connect) return [reaction, say(texts.connect)];
	return [reaction, say(texts.freeAnswer)];
}

/** Lists the directory one name a line, folders with a slash. */
const LIST_COMMAND = "ls -1Ap | head -n 40";
const FILE_NAME = /\b[\w-]+\.[A-Za-z]\w{0,7}\b/;
const FILE_IN_COMMAND = /^test -e '([^']+)'/;
const FILE_EXISTS = "RIGHTSEAT_DEMO_FILE_EXISTS";
const SHELL_MARK = "[Bash executed by user]";

/** Never replaces a file: a demo must not destroy anything. */
function writeCommand(fileName: string, content: string): string {
	return `test -e '${fileName}' && echo ${FILE_EXISTS} || { cat > '${fileName}' <<'END'\n${content}\nEND\ncat '${fileName}'; }`;
}

function readListing(result: string): string[] {
	return output(result)
		.split("\n")
		.map((line) => line.trim())
		.filter((line) => line !== "");
}

/** What a command printed, without what the tool says about it in brackets. */
function output(result: string): string {
	return result
		.split("\n")
		.filter((line) => line !== "(no output)" && !/^\[.*\b(exit code|took|still running|timed out|killed|stopped|lost)\b.*\]$/.test(line))
		.join("\n");
}

function readShellContext(prompt: string) {
	const commands = [...prompt.matchAll(/\[Bash executed by user\]\n\$ (.*)\n([\s\S]*?)\[exit code: (-?\d+|null)\]/g)];
	return commands.map(([, command = "", output = "", exitCode = "?"]) => ({
		command,
		exitCode,
		lines: output.split("\n").filter((line) => line.trim() !== ""),
	}));
}

/** The person's own words, without shell output and quoted answers before them, whose language and words say nothing. */
function personsWords(prompt: string): string {
	const end = prompt.lastIndexOf("[exit code:");
	if (end !== -1) return prompt.slice(prompt.indexOf("]", end) + 1);
	return prompt.startsWith("[") ? prompt.slice(prompt.lastIndexOf("\n\n") + 1) : prompt;
}

const say = (content: string): DemoStep => ({ kind: "text", content });
const thought = (content: string): DemoStep => ({ kind: "reasoning", content });
