import { readFileSync } from "node:fs";
import { join } from "node:path";
import { createLanCertificates } from "../../packages/server/src/app/reach/lan-certificates.ts";
import { createReachStore } from "../../packages/server/src/app/reach/reach-file.ts";
import { createMcpChannel } from "../../packages/server/src/channels/mcp/create-mcp-channel.ts";
import { createWebChannel } from "../../packages/server/src/channels/web/create-web-channel.ts";
import { createRememberedPermissions } from "../../packages/server/src/core/asks/remembered/remembered-permissions.ts";
import { createCore } from "../../packages/server/src/core/conversations/create-conversations.ts";
import { systemClock } from "../../packages/server/src/core/kernel/clock.ts";
import { conversationId, randomIds } from "../../packages/server/src/core/kernel/ids.ts";
import { silentLogger } from "../../packages/server/src/core/kernel/logger.ts";
import { createMemoryLedger } from "../../packages/server/src/core/kernel/memory-ledger.ts";
import { createRedactor } from "../../packages/server/src/core/kernel/redact.ts";
import type { Store } from "../../packages/server/src/core/ports/store.ts";
import { createSchedules } from "../../packages/server/src/core/schedules/schedules.ts";
import { createAttachments } from "../../packages/server/src/services/attachments/attachments.ts";
import { createModelAccount } from "../../packages/server/src/services/model-account/model-account.ts";
import { createPresence } from "../../packages/server/src/services/presence/presence.ts";
import { createSettings } from "../../packages/server/src/services/settings/settings.ts";
import { createCronerTimetable } from "../../packages/server/src/services/timetable/croner-timetable.ts";
import { createWorkRoots } from "../../packages/server/src/services/work-roots/work-roots.ts";
import { createWorktrees } from "../../packages/server/src/services/worktrees/worktrees.ts";
import { openStore } from "../../packages/server/src/store/open-store.ts";
import { createSyncThread, type Syncer } from "../../packages/server/src/store/sqlite/sync-thread.ts";
import { createAuditLog } from "../../packages/server/src/store/tables/audit-log.ts";
import { agentsOf } from "../../test/support/agents.ts";
import { createLocalFolders } from "../../test/support/local-folders.ts";
import { createLocalGit } from "../../test/support/local-git.ts";
import { createScriptedRuntime } from "../../test/support/scripted-runtime.ts";
import { createScriptedShell } from "../../test/support/scripted-shell.ts";
import { createSetupParts } from "../../test/support/setup-parts.ts";
import { paced } from "./relay-protocol.ts";
import { serveRelay } from "./serve-relay.ts";

// Core, store on disk, hub and sockets as they are; only the agent is replaced, by one that says stamped tokens.
const [home = "", count = "1"] = process.argv.slice(2);
const streams = Number(count);
const shared = { clock: systemClock, logger: silentLogger, ids: randomIds };
const path = join(home, "rightseat.db");
const delayMs = Number(process.env.BENCH_SYNC_DELAY_MS ?? 0);
const opened = openStore({ path, ...shared, ...(delayMs > 0 ? { syncer: delayed(createSyncThread(`${path}-wal`)) } : {}) });
let storageMs = 0;
const store: Store = {
	...opened.store,
	transaction(work) {
		const began = performance.now();
		try {
			return opened.store.transaction(work);
		} finally {
			storageMs += performance.now() - began;
		}
	},
};
const runtime = createScriptedRuntime();
const agents = agentsOf({ copilot: runtime });
const shell = createScriptedShell();
const settings = createSettings(opened.store.settings, { permissions: "auto" });
const memory = createMemoryLedger();
const { conversations, setups } = createCore({
	memory,
	...{ store, agents, shell, ...shared, directories: { resolve: async (path: string) => path } },
	config: { workdir: () => home, defaultModel: () => undefined, permissions: () => "auto", askTimeoutMs: 120_000, maxTurns: streams },
});
const noAccounts = { check: async () => undefined, connect: () => undefined };
const git = createLocalGit();
const folders = createLocalFolders(systemClock);
const audit = createAuditLog({ sql: opened.sql, ...shared, redact: (text) => text });
const roots = createWorkRoots([home], home, folders);
const channel = createWebChannel({
	folders,
	git,
	schedules: createSchedules({
		store,
		conversations,
		redactor: createRedactor([]),
		loadTimetable: async () => createCronerTimetable(),
		...shared,
	}),
	worktrees: createWorktrees({ home, git, sql: opened.sql, ...shared }),
	roots,
	...createSetupParts({ home, hide: () => undefined, folders, roots, audit, sql: opened.sql, clock: systemClock }).access(setups),
	remembered: createRememberedPermissions({ rules: store.permissionRules, folders, ...shared, redact: (text) => text }),
	attachments: createAttachments({ home, store: opened.store.attachments, ...shared }),
	presence: createPresence(),
	redactor: createRedactor([]),
	modelAccount: createModelAccount({ home, first: { kind: "demo" }, from: "nothing", accounts: noAccounts, hide: () => undefined }),
	memory,
	reach: createReachStore(home),
	lanCertificates: createLanCertificates(home),
	config: {
		...{ host: "127.0.0.1", port: 0, behindProxy: false, home, workdir: home, roots: [home], askTimeoutMs: 120_000 },
		...{ webRoot: join(home, "page"), version: "0.0.0" },
	},
	audit,
	mcp: createMcpChannel({ conversations, sql: opened.sql, audit, hide: () => undefined, ...shared }),
	...{ conversations, agents, shell, store: opened.store, sql: opened.sql, settings, storageHealth: opened.health, ...shared },
});
await channel.start();
const url = channel.url();
const token = readFileSync(join(home, "token"), "utf8").trim();
const ids: string[] = [];
for (let stream = 0; stream < streams; stream += 1) ids.push((await conversations.create({})).id);

serveRelay({ url, headers: { authorization: `Bearer ${token}` }, conversationIds: ids }, async (emission) => {
	const turns: Awaited<ReturnType<typeof runtime.nextTurn>>[] = [];
	for (const id of ids.slice(0, emission.streams)) {
		conversations.prompt({ conversationId: conversationId(id), prompt: "Go", origin: "web" });
		turns.push(await runtime.nextTurn());
	}
	return {
		emit: () => paced(emission, (stream, text) => turns[stream]?.text(text)),
		end: () => {
			for (const turn of turns) turn.end();
		},
		storageMs: () => storageMs,
	};
});

function delayed(syncer: Syncer): Syncer {
	return { ...syncer, sync: (done) => syncer.sync((error) => setTimeout(() => done(error), delayMs)) };
}
