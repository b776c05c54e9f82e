import { expect, test } from "vitest";
import { createCoreBed } from "../../../../../test/support/core.ts";
import { createRedactor } from "../kernel/redact.ts";
import { htmlOf, MAX_WATCHED_MESSAGES } from "./export-html.ts";

test("[SR1] a conversation as HTML: what was said is text, code stands apart, tools can be opened, our secrets are out", async () => {
	const bed = await createCoreBed();
	const id = await bed.begin();
	await bed.conversations.update(id, { title: "<b>Title</b> & more" });
	bed.conversations.prompt({ conversationId: id, prompt: `<img src=x onerror=alert(1)> it's "quoted"\u0007`, origin: "web" });
	const turn = await bed.runtime.nextTurn();
	turn.text("Look:\n```js\nif (a < b) s3cret-value\n```\nDone.");
	turn.emit({ kind: "tool-start", toolCallId: "t1", toolName: "Bash", arguments: { command: "ls </pre>" } });
	turn.emit({ kind: "tool-end", toolCallId: "t1", success: true, result: "<file>" });
	turn.end();
	await bed.clock.advance(100);
	const html = [...bed.conversations.export(id, "html")].join("");
	expect(html).toContain("<title>&lt;b&gt;Title&lt;/b&gt; &amp; more</title>");
	expect(html).toContain("&lt;img src=x onerror=alert(1)&gt; it&#39;s &quot;quoted&quot;</p>");
	expect(html).toMatch(/if \(a &lt; b\) (?!s3cret-value).*\n/);
	expect(html).toContain("<details><summary><code>Bash ls &lt;/pre&gt;</code></summary>");
	expect(html).toContain('<pre>command: ls &lt;/pre&gt;</pre><p class="label">Result</p><pre>&lt;file&gt;</pre></details>');
	expect(html).not.toMatch(/<(script|link|img|iframe|object)\b|s3cret-value|<[^>]*\s(src|href)=/);
	expect([...bed.conversations.export(id, "html", { language: "zh-Hant" })].join("")).toContain("<h2>使用者 ");
	await bed.close();
});

test("[SR10] the page of a guest has the newest messages and the answer so far, and asks again by itself", async () => {
	const bed = await createCoreBed();
	const id = await bed.begin();
	const metadata = { origin: "web", delivery: "taken" };
	for (let n = 0; n <= MAX_WATCHED_MESSAGES; n += 1) bed.store.messages.addMessage(id, { role: "user", content: `said ${n}.`, metadata });
	const page = () => [...bed.conversations.watchPage(id, { language: "en" })].join("");
	expect(page()).toContain('<meta http-equiv="refresh" content="10">');
	expect(page()).not.toContain("said 0.");
	expect(page()).toContain(`said ${MAX_WATCHED_MESSAGES}.`);
	bed.conversations.prompt({ conversationId: id, prompt: "and now", origin: "web" });
	const turn = await bed.runtime.nextTurn();
	turn.text("half of it");
	await bed.clock.advance(100);
	expect(page()).toMatch(/content="2">[\s\S]*aria-busy="true"[\s\S]*half of it/);
	turn.end();
	await bed.clock.advance(100);
	await bed.close();
});

test("[SR25] names, times and outcomes are told in words, in both languages: who spoke, when in which zone, what was asked and decided, how it ended", () => {
	const user = (content: string, metadata: object) => ({
		id: content,
		role: "user" as const,
		content,
		createdAt: AT,
		metadata: { origin: "web" as const, ...metadata },
	});
	const messages = [
		user("Hello\n# there", { attachments: [{ id: "a", name: "plan <1>.png", mimeType: "image/png", size: 3 }] }),
		user("[Bash executed by user]\n$ make test\nred\n[exit code: 2]", { bash: true, command: "make test", exitCode: 2 }),
		{
			...{ id: "m", role: "assistant" as const, content: "", createdAt: AT },
			metadata: {
				...{
					outcome: "error" as const,
					error: { code: "agent-login", message: "Log in." },
					changes: { changeId: "c", files: 2, added: 3, removed: 1 },
				},
				parts: [
					{ kind: "text" as const, messageId: "t", content: "**First**" },
					{ kind: "text" as const, messageId: "u", content: "Second" },
				],
				tools: [],
				asks: [
					{
						requestId: "q",
						kind: "permission" as const,
						text: "rm -r x",
						afterParts: 1,
						outcome: "answered" as const,
						answer: "reject",
						by: "telegram" as const,
					},
					{ requestId: "r", kind: "question" as const, text: "Which?", afterParts: 2, outcome: "expired" as const },
				],
				plan: [{ content: "Look", status: "completed" as const }],
			},
		},
	];
	const page = (language: "en" | "zh-Hant") =>
		[
			...htmlOf({
				...{
					conversation: { title: "", model: "m-1", createdAt: AT },
					agentName: "Claude Code",
					messages: messages.map((message) => ({ message })),
				},
				...{
					language,
					redactor: createRedactor([]),
					markdown: (text: string) => `[md ${text}]`,
					now: Date.parse(AT),
					timeZone: "Asia/Taipei",
				},
			}),
		].join("");
	const words = page("en")
		.slice(page("en").indexOf("<body>"))
		.replace(/<time datetime="2026-11-17T02:05:00.000Z">([^<]*)<\/time>/g, "$1")
		.replace(/<[^>]*>/g, " ")
		.replace(/\s+/g, " ")
		.trim();
	expect(words).toMatch(
		/^Conversation Claude Code · m-1 · Nov 17, 2026, 10:05\sAM Person Nov 17, 2026, 10:05\sAM Hello # there Attached: plan &lt;1&gt;\.png Command Nov 17, 2026, 10:05\sAM \$ make test exit code 2 red Claude Code Nov 17/,
	);
	expect(words).toContain(
		"[md **First**] Permission: rm -r x Answered on Telegram: rejected [md Second] Question: Which? Nobody answered in time Plan ☑ Look",
	);
	expect(words).toMatch(
		/2 files changed, \+3 −1 This answer failed\. \S.* As of Nov 17, 2026, 10:05\sAM · Times in Asia\/Taipei \(GMT\+8\)$/,
	);
	expect(page("zh-Hant")).toMatch(
		/<h2>使用者 <time[^>]*>2026年11月17日[\s\S]*結束代碼 2[\s\S]*許可: [\s\S]*已在 Telegram 回答：拒絕[\s\S]*沒有人及時回答[\s\S]*這次回答失敗了。[\s\S]*時間以 Asia\/Taipei/,
	);
});

const AT = "2026-11-17T02:05:00.000Z";
