import type { Mutant } from "./mutant.ts";

const STORE = "packages/server/src/store";
const SQL_TESTS = [`${STORE}/sqlite/sql-database.test.ts`];
const DURABILITY = { file: `${STORE}/sqlite/durability.ts`, tests: [`${STORE}/sqlite/durability.test.ts`] };
const RECOVERY_TESTS = [`${STORE}/health/recovery.test.ts`];
const SEARCH = { file: `${STORE}/search/search-text.ts`, tests: [`${STORE}/search/search.test.ts`] };
const MESSAGE_TESTS = [`${STORE}/messages/message-store.test.ts`];

export const STORE_MUTANTS: Mutant[] = [
	{
		name: "callbacks of a transaction that was rolled back run",
		file: `${STORE}/sqlite/sql-database.ts`,
		search: "				waiting.length = callbacksBefore;\n",
		replace: "",
		tests: SQL_TESTS,
	},
	{
		name: "an asynchronous transaction is committed in pieces",
		file: `${STORE}/sqlite/sql-database.ts`,
		search: "if (isThenable(result))",
		replace: "if (isThenable(undefined))",
		tests: SQL_TESTS,
	},
	{
		name: "prepared statements are kept without a bound",
		file: `${STORE}/sqlite/statement-cache.ts`,
		search: "if (cached.size <= limit) break;",
		replace: "break;",
		tests: SQL_TESTS,
	},
	{
		name: "a commit made while a sync runs counts as durable with it",
		...DURABILITY,
		search: "synced = mark;",
		replace: "synced = written;",
	},
	{
		name: "after a failed sync commits are promised again",
		...DURABILITY,
		search: "		failure = told;\n",
		replace: "",
	},
	{
		name: "a power cut keeps the epochs",
		file: `${STORE}/health/continuity.ts`,
		search: 'if (wentDown || shutdown === "backup" || options.wasRestored)',
		replace: 'if (shutdown === "backup" || options.wasRestored)',
		tests: [`${STORE}/open-store.test.ts`],
	},
	{
		name: "a damaged backup is restored",
		file: `${STORE}/health/recover-database.ts`,
		search: "const usable = isIntact(engine, temporary);",
		replace: "const usable = true;",
		tests: RECOVERY_TESTS,
	},
	{
		name: "a full disk does not make the storage read-only",
		file: `${STORE}/health/storage-health.ts`,
		search: '(fault === "full" || fault === "read-only" || fault === "disk")',
		replace: '(fault === "read-only" || fault === "disk")',
		tests: [`${STORE}/health/storage-health.test.ts`],
	},
	{
		name: "backups have no bound in number",
		file: `${STORE}/backup/backup-files.ts`,
		search: "kept > MAX_BACKUPS || bytes > maxBytes",
		replace: "bytes > maxBytes",
		tests: [`${STORE}/backup/backups.test.ts`],
	},
	{
		name: "what people type into the search is query syntax",
		...SEARCH,
		search: '		.replace(separators, " ")\n',
		replace: "",
	},
	{
		name: "Chinese is found by whole runs only",
		...SEARCH,
		search: 'text.slice(0, maxChars).toWellFormed().normalize("NFKC").replace(character, " $& ")',
		replace: 'text.slice(0, maxChars).toWellFormed().normalize("NFKC")',
	},
	{
		name: "U+0000 is stored as it came",
		file: `${STORE}/sqlite/clean-text.ts`,
		search: 'return text.toWellFormed().replaceAll("\\u0000", "\\uFFFD");',
		replace: "return text.toWellFormed();",
		tests: MESSAGE_TESTS,
	},
	{
		name: "queued prompts stand among what was said",
		file: `${STORE}/messages/message-order.ts`,
		search: "const row = (queued ? lastQueued : last).get(conversation, QUEUE_START);",
		replace: "const row = last.get(conversation, QUEUE_START);",
		tests: MESSAGE_TESTS,
	},
	{
		name: "failed logins push out what people did",
		file: `${STORE}/tables/audit-log.ts`,
		search: "keepNewest(\"kind NOT IN ('login-failed', 'mcp', 'rule-used')\", MAX_AUDIT_ROWS);",
		replace: 'keepNewest("1 = 1", MAX_AUDIT_ROWS);',
		tests: [`${STORE}/tables/audit-log.test.ts`],
	},
];
