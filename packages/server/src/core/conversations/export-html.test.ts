import { expect, test } from "vitest";
import { createCoreBed } from "../../../../../test/support/core.ts";
import { MAX_WATCHED_MESSAGES } from "./export-html.ts";

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
	expect(html).toMatch(/<pre>if \(a &lt; b\) (?!s3cret-value).*\n<\/pre><p dir="auto">Done\.<\/p>/);
	expect(html).toContain("<summary>Bash</summary><pre>{&quot;command&quot;:&quot;ls &lt;/pre&gt;&quot;}</pre><pre>&lt;file&gt;</pre>");
	expect(html).not.toMatch(/<(script|link|img|iframe|object)\b|s3cret-value|<[^>]*\s(src|href)=/);
	expect([...bed.conversations.export(id, "html", "zh-Hant")].join("")).toContain("<h2>您 ");
	await bed.close();
});

test("[SR10] the page of a guest has the newest messages and the answer so far, and asks again by itself", async () => {
	const bed = await createCoreBed();
	const id = await bed.begin();
	const metadata = { origin: "web", delivery: "taken" };
	for (let n = 0; n <= MAX_WATCHED_MESSAGES; n += 1) bed.store.messages.addMessage(id, { role: "user", content: `said ${n}.`, metadata });
	const page = () => [...bed.conversations.watchPage(id, "en")].join("");
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
