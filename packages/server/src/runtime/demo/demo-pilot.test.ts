import { expect, test } from "vitest";
import { type ChatRequest, readChatRequest } from "./chat-request.ts";
import { answerDemo } from "./demo-pilot.ts";

const request = (prompt: string, more: Partial<ChatRequest> = {}): ChatRequest => ({
	prompt,
	calls: [],
	spoken: false,
	tools: ["Bash", "ask_user"],
	promptChars: 100,
	stream: true,
	model: "demo-pilot",
	...more,
});
const textOf = (steps: ReturnType<typeof answerDemo>) => steps.map((step) => (step.kind === "text" ? step.content : "")).join("");
const toolOf = (steps: ReturnType<typeof answerDemo>) => steps.flatMap((step) => (step.kind === "tool" ? [step.name] : [])).join();

test.each([
	["Hello!", "Rightseat** is", ""],
	["What can you do?", "Rightseat** is", ""],
	["list the files", "working directory", "Bash"],
	["What is in this folder?", "working directory", "Bash"],
	["Please write a file called todo.md", "`todo.md`", "Bash"],
	["ask me a question", "ask you something", "ask_user"],
	["How do I connect a real model?", "RIGHTSEAT_PROVIDER_URL", ""],
	["show me some markdown", "```typescript", ""],
	["Find the tests and run them", "working directory", "Bash"],
	["Write a small script and show me what it does", "hello-from-rightseat", "Bash"],
	["tell me a long story", "Leg 8", ""],
	["qwertz", "did not understand", ""],
	["你好，這是什麼？", "程式代理旁邊的座位", ""],
	["請列出目錄裡的檔案", "工作目錄", "Bash"],
	["寫一個檔案", "hello-from-rightseat.md", "Bash"],
	["問我一個問題", "我問你", "ask_user"],
	["怎麼連接真正的模型？", "GITHUB_TOKEN", ""],
	["示範一下表格", "```typescript", ""],
	["說個故事", "第 8 段", ""],
	["呃", "聽不懂", ""],
])("[DM8] %s is understood, answered in its language and labelled as a demo", (prompt, contains, tool) => {
	const steps = answerDemo(request(prompt));
	expect(textOf(steps)).toContain(contains);
	expect(textOf(steps)).toMatch(/^\*(Demo pilot: a script answers here|示範駕駛（demo pilot）：這裡由腳本回答)/);
	expect(toolOf(steps)).toBe(tool);
	expect(answerDemo(request(prompt))).toEqual(steps);
});

test("[DM9] it says what it sees of commands that the person ran, in the language of the prompt", () => {
	const prompt =
		"[Bash executed by user]\n$ ls 檔案\none\ntwo\n[exit code: 0]\n\n[Bash executed by user]\n$ false\n\n[exit code: 1]\n\nwhat happened?";
	const text = textOf(answerDemo(request(prompt)));
	expect(text).toContain("- `ls 檔案`: it succeeded. It printed 2 line(s), the first: `one`");
	expect(text).toContain("- `false`: it failed with exit code 1. It printed nothing.");
	expect(textOf(answerDemo(request(prompt.replace("what happened?", "怎麼了？"))))).toContain("失敗，結束代碼 1");
});

test("[DM9] commands before a wish do not swallow the wish", () => {
	const steps = answerDemo(request("[Bash executed by user]\n$ ls\none\n[exit code: 0]\n\nask me a question"));
	expect(textOf(steps)).toContain("- `ls`: it succeeded.");
	expect(toolOf(steps)).toBe("ask_user");
});

test("[DM10] it reacts to a free answer, an empty directory and a tool that is not offered", () => {
	const answered = request("ask me", { spoken: true, calls: [{ name: "ask_user", arguments: {}, result: "User responded: bananas" }] });
	expect(textOf(answerDemo(answered))).toContain("You answered: **bananas**");
	const [listing] = answerDemo(request("ls")).filter((step) => step.kind === "tool");
	const empty = request("ls", { spoken: true, calls: [{ name: "Bash", arguments: { ...listing?.arguments }, result: "[exit code: 0]" }] });
	expect(textOf(answerDemo(empty))).toContain("The directory is empty");
	const odd = {
		...empty,
		calls: empty.calls.map((call) => ({ ...call, result: "[id].tsx\n(group)/\n[exit code: 0, now in /x, took 5 ms]" })),
	};
	expect(textOf(answerDemo(odd))).toContain("I see 2 entries, 1 of them folders.");
	expect(textOf(answerDemo(request("ls", { tools: [] })))).toContain("not offered");
});

test("[DM9] an answer of its own that is quoted before the prompt is not taken for the prompt", () => {
	const prompt = "[Your previous answer was interrupted. It ended with:]\nI list the files and 檔案\n\nHello!";
	expect(textOf(answerDemo(request(prompt)))).toContain("Rightseat** is");
});

test("[DM11] a request of any shape is read without failing", () => {
	for (const body of [
		undefined,
		null,
		7,
		"x",
		[],
		{},
		{ messages: 7 },
		{ messages: [null, 7, { role: "user" }] },
		{ messages: [{ role: "user", content: [{}, null] }] },
	]) {
		expect(readChatRequest(body)).toMatchObject({ prompt: "", calls: [] });
	}
	expect(readChatRequest({ messages: [{ role: "user", content: "<current_datetime>now</current_datetime>\n\nhi" }] }).prompt).toBe("hi");
});
