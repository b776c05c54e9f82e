import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import { conversationRow as rowOf } from "../../../../test/support/conversation-row.ts";
import { createFakeClock } from "../../../../test/support/fake-clock.ts";
import { type ConversationId, conversationId, randomIds } from "../core/kernel/ids.ts";
import { silentLogger } from "../core/kernel/logger.ts";
import type { ConversationRow } from "../core/ports/store.ts";
import { type OpenedStore, type OpenStoreOptions, openStore } from "./open-store.ts";

/** Opens a store for one test, in memory unless a path is given, with time that stands still. */
export function openTestStore(options: Partial<OpenStoreOptions> = {}) {
	const clock = createFakeClock();
	const opened: OpenedStore = openStore({ path: ":memory:", clock, ids: randomIds, logger: silentLogger, ...options });
	onTestFinished(() => opened.close());
	return { ...opened, clock };
}

/** A directory that is gone after the test, and the path of a database in it. */
export function temporaryHome() {
	const home = mkdtempSync(join(tmpdir(), "rightseat-store-"));
	onTestFinished(() => rmSync(home, { recursive: true, force: true }));
	return { home, path: join(home, "rightseat.db"), backups: join(home, "backups") };
}

export const CHAT = conversationId("chat");

/** The row of that conversation, or of another one. */
export const conversationRow = (id: ConversationId = CHAT, fields: Partial<ConversationRow> = {}) => rowOf(id, fields);

/** A store with one conversation in it. */
export function openChat(options: Partial<OpenStoreOptions> = {}) {
	const opened = openTestStore(options);
	if (opened.store.conversations.find(CHAT) === undefined) opened.store.conversations.insert(conversationRow());
	const say = (content: string, metadata: object = { origin: "web" }) =>
		opened.store.messages.addMessage(CHAT, { role: "user", content, metadata });
	return { ...opened, say };
}

/** Overwrites the page of the database that holds this text, as a dying disk would. */
export function zeroPageWith(path: string, text: string) {
	const bytes = readFileSync(path);
	const at = bytes.indexOf(text);
	if (at === -1) throw new RangeError(`No page holds ${text}`);
	const page = Math.floor(at / PAGE_BYTES) * PAGE_BYTES;
	bytes.fill(0, page, page + PAGE_BYTES);
	writeFileSync(path, bytes);
}
const PAGE_BYTES = 4096;
