import fc from "fast-check";
import { expect, test } from "vitest";
import { conversationId, messageId } from "../../core/kernel/ids.ts";
import { loadSqlite } from "../sqlite/sqlite-loader.ts";
import { CHAT, conversationRow, openChat, openTestStore, temporaryHome } from "../store-harness.ts";
import { createSnippets } from "./search-snippet.ts";
import { indexedText, MAX_INDEXED_CHARS, MAX_QUERY_CHARS, MAX_QUERY_WORDS, matchExpression, parseQuery, UNSPACED } from "./search-text.ts";

const { findPhrase, snippetAround } = createSnippets(UNSPACED);

/** What a search finds among messages with these texts. */
async function find(texts: string[], query: string) {
	const { store, say } = openChat();
	const byId = new Map(texts.map((text) => [say(text).id, text]));
	return (await store.messages.search(query)).map((result) => byId.get(result.messageId));
}

test("[ST25] words of two letters, beginnings of the last word, and words whatever their case and accents are found", async () => {
	expect(await find(["Let it go now", "gone"], "go it")).toEqual(["Let it go now"]);
	expect(await find(["open the WebSocket", "a sock"], "websock")).toEqual(["open the WebSocket"]);
	expect(await find(["websocket first"], "websock first")).toEqual([]);
	expect(await find(["Crème brûlée", "ＦＵＬＬ width"], "creme BRU")).toEqual(["Crème brûlée"]);
	expect(await find(["Crème brûlée", "ＦＵＬＬ width"], "full")).toEqual(["ＦＵＬＬ width"]);
	expect(await find(["call foo.bar(x)", "foo and bar"], "foo.bar")).toEqual(["call foo.bar(x)"]);
	expect(await find(["a b", "C3PO and R2"], "r2")).toEqual(["C3PO and R2"]);
});

test("[ST26] Chinese is found by one character, two, or any run of them, also beside Latin words", async () => {
	const texts = ["我們用React寫網頁，速度很快", "網路頁面", "これはテストです", "학교에서 만나요"];
	expect(await find(texts, "網")).toEqual(["網路頁面", "我們用React寫網頁，速度很快"]);
	expect(await find(texts, "網頁")).toEqual(["我們用React寫網頁，速度很快"]);
	expect(await find(texts, "網頁速度")).toEqual(["我們用React寫網頁，速度很快"]);
	expect(await find(texts, "react")).toEqual(["我們用React寫網頁，速度很快"]);
	expect(await find(texts, "用react寫")).toEqual(["我們用React寫網頁，速度很快"]);
	expect(await find(texts, "頁網")).toEqual([]);
	expect(await find(texts, "テスト")).toEqual(["これはテストです"]);
	expect(await find(texts, "학교")).toEqual(["학교에서 만나요"]);
	expect(await find(["𠮷野家"], "𠮷")).toEqual(["𠮷野家"]);
});

test("[ST27] nothing that a person types is query syntax", async () => {
	const { store, say } = openChat();
	say("plain words AND quotes");
	for (const query of [
		'"',
		'"plain" OR',
		"NEAR(a b)",
		"text : x",
		"-plain",
		"pl*",
		"^plain",
		"{a b}",
		"(",
		"' OR 1=1 --",
		"",
		"   ",
		"***",
		"😀",
		"\u0000",
	]) {
		expect(await store.messages.search(query)).toBeInstanceOf(Array);
	}
	expect((await store.messages.search("AND")).map((result) => result.snippet)).toEqual(["plain words AND quotes"]);
	expect(await store.messages.search("words OR nothing")).toEqual([]);
	await fc.assert(
		fc.asyncProperty(fc.string({ unit: "binary", maxLength: 40, size: "max" }), async (query) => {
			await store.messages.search(query);
		}),
		{ numRuns: 500 },
	);
});

const word = fc.constantFrom("go", "gopher", "React", "naïve", "x1", "Ａｐｐ", "ß");
const character = fc.constantFrom("網", "頁", "速", "あ", "カ", "가", "第");
const piece = fc.oneof({ weight: 3, arbitrary: character }, { weight: 2, arbitrary: word });
const separator = fc.constantFrom("", "", " ", "，", "-", "\n");

test("[ST26] a search finds exactly the texts in which the typed words stand in a row", async () => {
	const text = fc.array(fc.tuple(piece, separator), { maxLength: 12 }).map((parts) => parts.flat().join(""));
	await fc.assert(
		fc.asyncProperty(fc.array(text, { minLength: 1, maxLength: 6 }), text, async (texts, other) => {
			const source = [...(texts[0] ?? ""), ...other].join("");
			const query = source.slice(0, 6);
			const phrases = parseQuery(query);
			const matches = texts.filter((candidate) => phrases.every((phrase) => findPhrase(candidate, [phrase]) !== undefined));
			expect(await find(texts, query)).toEqual(phrases.length === 0 ? [] : matches.toReversed());
		}),
		{ numRuns: 150 },
	);
});

test("[ST28] the snippet shows the match in its surroundings on one line, and never half a character", async () => {
	const { store, say } = openChat();
	say(`${"filler ".repeat(50)}the\n\n  needle here ${"rest ".repeat(50)}`);
	const [result] = await store.messages.search("needle");
	expect(result?.snippet).toMatch(/^….*the needle here rest.*…$/);
	expect(result?.snippet.length).toBeLessThan(170);
	expect(snippetAround(`${"x ".repeat(30_000)}far needle`, parseQuery("needle"))).toMatch(/far needle$/);
	expect(snippetAround("short", parseQuery("nothing"))).toBe("short");
	fc.assert(
		fc.property(fc.string({ unit: "grapheme", minLength: 1, maxLength: 400, size: "max" }), (text) => {
			const clean = text.toWellFormed();
			expect(snippetAround(clean, parseQuery(clean.slice(-8))).isWellFormed()).toBe(true);
		}),
	);
});

test("[ST29] titles are found too: with the first message, or none when there is none yet", async () => {
	const { store, say } = openChat();
	expect(await store.messages.search("conversa")).toEqual([
		{ conversationId: CHAT, messageId: "", title: "A conversation", snippet: "A conversation", createdAt: "1970-01-01T00:00:01.000Z" },
	]);
	const first = say("hello");
	say("again");
	store.conversations.update(CHAT, { title: "旅行計畫" });
	expect(await store.messages.search("conversa")).toEqual([]);
	expect((await store.messages.search("計畫")).map((result) => result.messageId)).toEqual([first.id]);
});

test("[ST30] the index follows edits and deletions, finds both roles, and gives the newest first up to a limit", async () => {
	const { store, say } = openChat();
	const one = say("apple one");
	store.messages.addMessage(CHAT, { role: "assistant", content: "apple two", metadata: {} });
	const three = say("apple three");
	const found = async () => (await store.messages.search("apple")).map((result) => result.snippet);
	expect(await found()).toEqual(["apple three", "apple two", "apple one"]);
	expect((await store.messages.search("apple", 1)).map((result) => result.snippet)).toEqual(["apple three"]);
	store.messages.update(CHAT, messageId(one.id), { content: "pear" });
	store.messages.delete(CHAT, messageId(three.id));
	expect(await found()).toEqual(["apple two"]);
	expect(await store.messages.search("pear")).toHaveLength(1);
});

test("[ST30] without a limit at most fifty are found", async () => {
	const { store, say } = openChat();
	store.transaction(() => {
		for (let n = 0; n < 60; n++) say("same word");
	});
	expect(await store.messages.search("same")).toHaveLength(50);
});

test("[ST31] a damaged index is built again from the messages, and nothing stored is lost", async () => {
	const { path } = temporaryHome();
	const before = openChat({ path });
	before.store.transaction(() => {
		for (let n = 0; n < 600; n++) before.say(`message number${n} about something`);
	});
	await before.close();
	const raw = new (loadSqlite().module.DatabaseSync)(path, { defensive: false });
	raw.exec("DELETE FROM messages_text_data WHERE id > 10; PRAGMA wal_checkpoint(TRUNCATE)");
	raw.close();

	const { store, health, say } = openChat({ path });
	say("one more message");
	expect((await store.messages.search("number599")).map((result) => result.snippet)).toEqual(["message number599 about something"]);
	expect(await store.messages.search("number3")).toHaveLength(50);
	expect(await store.messages.search("more")).toHaveLength(1);
	expect(health()).toEqual({ state: "ok" });
});

test("[ST32] how much of a message is indexed and how much of a query is read is bounded", () => {
	expect(indexedText("x".repeat(MAX_INDEXED_CHARS + 1))).toHaveLength(MAX_INDEXED_CHARS);
	expect(parseQuery("a ".repeat(MAX_QUERY_CHARS))).toHaveLength(MAX_QUERY_WORDS);
	expect(matchExpression(parseQuery("x".repeat(9_999)))).toHaveLength(MAX_QUERY_CHARS + '"" *'.length);
});

test("[ST29] a title that says the same as the first message is no second result", async () => {
	const { store, say } = openChat();
	store.conversations.update(CHAT, { title: "鳳梨酥哪裡買" });
	const first = say("鳳梨酥哪裡買");
	expect((await store.messages.search("鳳梨酥")).map((result) => result.messageId)).toEqual([first.id]);
});

test("[ST29] many titles that match leave room for messages", async () => {
	const { store } = openTestStore();
	for (let n = 0; n < 30; n++) store.conversations.insert(conversationRow(conversationId(`c${n}`), { title: "apple pie" }));
	expect(await store.messages.search("apple")).toHaveLength(10);
});
