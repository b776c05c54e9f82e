import { readFileSync } from "node:fs";
import { join } from "node:path";
import {
	HEARTBEAT_TIMEOUT_MS,
	MAX_ATTACHMENT_BYTES,
	MAX_BASH_CONTEXT_CHARS,
	MAX_FRAME_BYTES,
	MAX_PROMPT_CHARS,
	PONG_TIMEOUT_MS,
} from "@rightseat/protocol/limits";
import { expect, test } from "vitest";
import { KEEP_MS } from "../../packages/changes/src/blobs/maintain.ts";
import { MAX_STORE_BYTES } from "../../packages/changes/src/blobs/pack-store.ts";
import { EDIT_BOUND } from "../../packages/protocol/src/diff/shortest-edit.ts";
import { STATUS_AFTER_MS } from "../../packages/server/src/channels/telegram/render/turn-status.ts";
import { MAX_TERMINALS } from "../../packages/server/src/channels/web/terminal/terminals.ts";
import { MAX_LOOSE_COMMANDS } from "../../packages/server/src/channels/web/ws/bash-exec-handler.ts";
import {
	BAD_FRAMES_BEFORE_CLOSE,
	FRAME_BURST,
	FRAMES_PER_SECOND,
	GUARD_WINDOW_MS,
} from "../../packages/server/src/channels/web/ws/frame-guard.ts";
import { HARD_LIMIT_BYTES, SOFT_LIMIT_BYTES, STUCK_MS } from "../../packages/server/src/channels/web/ws/outbound.ts";
import { MAX_SUBSCRIPTIONS } from "../../packages/server/src/channels/web/ws/subscriptions.ts";
import { KEPT_EVENT_BYTES, KEPT_EVENTS } from "../../packages/server/src/core/active/log-trim.ts";
import { MAX_APPROVAL_CHARS } from "../../packages/server/src/core/asks/ask-permission.ts";
import { LOST_EXIT_CODE } from "../../packages/server/src/core/commands/on-bash-complete.ts";
import { MAX_PENDING_BYTES, MAX_PENDING_RESULTS } from "../../packages/server/src/core/commands/pending-bash-context.ts";
import { MAX_REPLAY_CHARS, MAX_REPLAY_EVENTS } from "../../packages/server/src/core/log/stream-hub.ts";
import { ABORT_GRACE_MS } from "../../packages/server/src/core/turns/run-turn.ts";
import { LOOK_EVERY_MS } from "../../packages/server/src/runtime/copilot/process/watch-memory.ts";
import { MAX_CALLS } from "../../packages/server/src/services/work-roots/folder-calls.ts";
import { KEEP_ENDED_MS, MAX_ENDED_PER_CONVERSATION } from "../../packages/server/src/shell/jobs/job-entry.ts";
import { MAX_RUNNING, MAX_RUNNING_PER_CONVERSATION } from "../../packages/server/src/shell/jobs/job-registry.ts";
import { DEFAULT_TIMEOUT_MS, MAX_TIMEOUT_MS } from "../../packages/server/src/shell/service/bash-tool.ts";
import { MODEL_CHARS } from "../../packages/server/src/shell/service/result-text.ts";
import { LARGE_DATABASE_BYTES } from "../../packages/server/src/store/health/check-database.ts";
import { OLDEST_SAFE_SQLITE } from "../../packages/server/src/store/sqlite/sqlite-loader.ts";
import { MAX_FILES_IN_FOLDER } from "../../packages/shell/src/output/file-index.ts";
import { TERM_GRACE_MS } from "../../packages/shell/src/process/kill.ts";
import { HIDDEN_PING_AFTER_MS, KEEPALIVE_MS, STATUS_DELAY_MS, VISIBLE_PING_AFTER_MS } from "../../packages/web/src/connection/policy.ts";
import { MAX_EDITS } from "../../packages/web/src/transcript/diff/line-diff.ts";
import { ROOT } from "./support/source-files.ts";

const KIB = 1_024;
const MIB = 1_048_576;
const count = (value: number) => value.toLocaleString("en-US");

test.each([
	["docs/decisions/0001-one-log-per-conversation.md", [`${count(KEPT_EVENTS)} or ${KEPT_EVENT_BYTES / MIB} MB`]],
	[
		"docs/decisions/0005-shell-results-are-messages.md",
		[`At most ${MAX_PENDING_RESULTS} results wait, with ${MAX_PENDING_BYTES / KIB} KiB`],
	],
	["docs/decisions/0020-sqlite-engine.md", [`SQLite is ${OLDEST_SAFE_SQLITE} or newer`]],
	[
		"docs/decisions/0043-timeout-ends-the-command.md",
		[
			`${MAX_RUNNING_PER_CONVERSATION} running per conversation, ${MAX_RUNNING} per server.`,
			`kept for ${KEEP_ENDED_MS / 60_000} minutes, the newest ${MAX_ENDED_PER_CONVERSATION} per conversation`,
		],
	],
	[
		"docs/decisions/0052-slow-readers-miss-and-catch-up.md",
		[`Above ${SOFT_LIMIT_BYTES / MIB} MiB`, `Above ${HARD_LIMIT_BYTES / MIB} MiB, or without progress for ${STUCK_MS / 1_000} s`],
	],
	[
		"docs/decisions/0062-when-the-page-pings.md",
		[
			`for ${VISIBLE_PING_AFTER_MS / 1_000} s is pinged, and given up ${PONG_TIMEOUT_MS / 1_000} s later`,
			`In the background ${HIDDEN_PING_AFTER_MS / 1_000} s.`,
			`every ${KEEPALIVE_MS / 1_000} s`,
			`${STATUS_DELAY_MS / 1_000} s in which`,
		],
	],
	["docs/decisions/0072-status-message-then-answer.md", [`shorter than ${STATUS_AFTER_MS / 1_000} s`]],
	["docs/decisions/0140-approvals-are-exact.md", [`more than ${count(MAX_APPROVAL_CHARS)} characters`]],
	["docs/decisions/0150-folders-are-looked-at-elsewhere.md", [`${MAX_CALLS} questions at once`]],
	["docs/decisions/0161-a-large-runtime-is-replaced.md", [`every ${LOOK_EVERY_MS / 1_000} s`]],
	["docs/decisions/0365-a-line-diff-of-our-own.md", [`${count(EDIT_BOUND)} edits`, `${count(MAX_EDITS)} on the page`]],
	[
		"docs/sequences.md",
		[
			`within ${ABORT_GRACE_MS / 1_000} s`,
			`no frame for ${VISIBLE_PING_AFTER_MS / 1_000} s: ping, no pong for ${PONG_TIMEOUT_MS / 1_000} s`,
			`at most ${count(MAX_REPLAY_EVENTS)} events and ${MAX_REPLAY_CHARS / MIB} MiB behind`,
			`more than ${SOFT_LIMIT_BYTES / MIB} MiB unsent`,
			`exit code ${LOST_EXIT_CODE}`,
		],
	],
	[
		"docs/storage.md",
		[
			`larger than ${LARGE_DATABASE_BYTES / MIB} MB`,
			`the newest ${count(KEPT_EVENTS)} or ${KEPT_EVENT_BYTES / MIB} MB`,
			OLDEST_SAFE_SQLITE,
		],
	],
	[
		"docs/shell.md",
		[
			`at most ${count(MODEL_CHARS)} characters`,
			`first ${count(MAX_BASH_CONTEXT_CHARS)}`,
			`(${count(DEFAULT_TIMEOUT_MS)}; at most ${count(MAX_TIMEOUT_MS)})`,
			`KILL ${TERM_GRACE_MS / 1_000} seconds later`,
			`512 MB and ${MAX_FILES_IN_FOLDER} files per conversation`,
		],
	],
	["SECURITY.md", [`go after ${KEEP_MS / 86_400_000} days`, `when ${MAX_STORE_BYTES / (KIB * MIB)} GB are full`]],
	["docs/telegram.md", [`at most ${MAX_ATTACHMENT_BYTES / MIB} MB each`]],
	[
		"docs/websocket.md",
		[
			`${count(MAX_FRAME_BYTES)} bytes (${MAX_FRAME_BYTES / KIB} KiB)`,
			`| prompt or command | ${count(MAX_PROMPT_CHARS)} characters |`,
			`at most ${MAX_SUBSCRIPTIONS} subscriptions`,
			`| ${FRAMES_PER_SECOND} a second, ${FRAME_BURST} at once |`,
			`| ${BAD_FRAMES_BEFORE_CLOSE} in ${GUARD_WINDOW_MS / 1_000} s |`,
			`| ${HEARTBEAT_TIMEOUT_MS / 1_000} s without any inbound frame`,
			`| ${HARD_LIMIT_BYTES / MIB} MiB, or ${STUCK_MS / 1_000} s without progress above ${SOFT_LIMIT_BYTES / MIB} MiB |`,
			`| ${MAX_TERMINALS}; the longest`,
			`| ${MAX_LOOSE_COMMANDS} per connection`,
		],
	],
])("[AR123] the numbers in %s are those of the code", (path, quoted) => {
	const text = readFileSync(join(ROOT, path), "utf8");
	expect(quoted.filter((sentence) => !text.includes(sentence))).toEqual([]);
});
