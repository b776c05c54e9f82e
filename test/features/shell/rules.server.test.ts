import { existsSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createRememberedPermissions } from "../../../packages/server/src/core/asks/remembered/remembered-permissions.ts";
import type { Conversations } from "../../../packages/server/src/core/conversations/conversations.ts";
import { createCore } from "../../../packages/server/src/core/conversations/create-conversations.ts";
import { systemClock } from "../../../packages/server/src/core/kernel/clock.ts";
import { type ConversationId, conversationId, randomIds } from "../../../packages/server/src/core/kernel/ids.ts";
import { silentLogger } from "../../../packages/server/src/core/kernel/logger.ts";
import { createRedactor } from "../../../packages/server/src/core/kernel/redact.ts";
import type { AuditRecord } from "../../../packages/server/src/core/ports/audit.ts";
import { openStore } from "../../../packages/server/src/store/open-store.ts";
import { agentsOf } from "../../support/agents.ts";
import { heardAudit } from "../../support/audit.ts";
import { watch } from "../../support/core.ts";
import { createLocalFolders } from "../../support/local-folders.ts";
import { createScriptedRuntime, type ScriptedTurn } from "../../support/scripted-runtime.ts";
import { openShellBed, type ShellBed } from "./shell-harness.ts";

let bed: ShellBed;
let conversations: Conversations;
let remembered: ReturnType<typeof createRememberedPermissions>;
let close: () => Promise<void>;
const runtime = createScriptedRuntime();
const audited: AuditRecord[] = [];

beforeAll(async () => {
	bed = await openShellBed();
	mkdirSync(join(bed.work, ".git"));
	writeFileSync(join(bed.work, ".git", "HEAD"), "ref: refs/heads/main\n");
	writeFileSync(join(bed.work, "notes"), "two\nlines\n");
	const clock = systemClock;
	const opened = openStore({ path: ":memory:", clock, ids: randomIds, logger: silentLogger });
	const { store } = opened;
	const folders = createLocalFolders(clock);
	const redactor = createRedactor([]);
	const audit = heardAudit((entry) => void audited.push(entry));
	const shared = { clock, ids: randomIds, logger: silentLogger, audit };
	remembered = createRememberedPermissions({ ...shared, rules: store.permissionRules, folders, redact: redactor.text });
	({ conversations } = createCore({
		...{ ...shared, store, remembered, redactor, shell: bed.shell, agents: agentsOf({ copilot: runtime }) },
		directories: { resolve: async (path) => path },
		config: {
			...{ workdir: () => bed.work, permissions: () => "ask", defaultModel: () => undefined },
			...{ askTimeoutMs: 60_000, maxTurns: 16 },
		},
	}));
	close = async () => {
		await conversations.close(0);
		folders.close();
		await opened.close();
	};
});
afterAll(async () => {
	await close();
	await bed.close();
});

/** A turn in a new conversation that asks; the agent's calls come one after the other. */
async function begin() {
	const id = conversationId((await conversations.create({})).id);
	conversations.prompt({ conversationId: id, prompt: "Go", origin: "web" });
	const turn = await runtime.nextTurn();
	const watcher = watch(conversations, id);
	return { id, turn, watcher };
}
type Begun = Awaited<ReturnType<typeof begin>>;

let calls = 0;
/** What the agent's call comes to: the request that a person sees, or what ran without one. */
async function attempt({ id, turn }: Pick<Begun, "id" | "turn">, command: string, more: object = {}) {
	const toolCallId = `call-${++calls}`;
	const { signal } = new AbortController();
	const decision = turn.options.permit(
		{ kind: "custom-tool", summary: `Run ${command}`, toolName: "Bash", toolCallId, detail: command, command },
		signal,
	);
	const asked = await Promise.race([decision.then(() => undefined), requestIn(id)]);
	const run = async () => {
		const { kind } = await decision;
		const bash = turn.options.tools.find(({ name }) => name === "Bash");
		if (kind === "reject" || bash === undefined) return "";
		const { text } = await bash.run({ command, ...more }, { toolCallId, signal, output: () => undefined });
		return text;
	};
	return { asked, run };
}
const requestIn = (id: ConversationId) =>
	expect
		.poll(() => conversations.pending(id).permissions[0], { timeout: 20_000, interval: 5 })
		.toBeDefined()
		.then(() => conversations.pending(id).permissions[0]);

const answer = (id: ConversationId, requestId: string, remember?: true) =>
	conversations.decide({ conversationId: id, requestId, decision: "approve-once", remember, by: "web", from: "127.0.0.1" });

/** The agent runs this, and whoever is asked says yes once. */
async function allow(begun: Begun, command: string): Promise<string> {
	const { asked, run } = await attempt(begun, command);
	if (asked !== undefined) answer(begun.id, asked.requestId);
	return run();
}
/** Whether anybody is asked about it; nothing runs. */
async function isAsked({ id, turn }: Pick<Begun, "id" | "turn">, command: string): Promise<boolean> {
	const { asked } = await attempt({ id, turn }, command);
	if (asked !== undefined) conversations.decide({ conversationId: id, requestId: asked.requestId, decision: "reject", by: "web" });
	return asked !== undefined;
}
const end = (turn: ScriptedTurn) => turn.end();

test("[RP42] what a person allowed for good runs unasked from then on, in every conversation of the folder, until it is taken back", async () => {
	const first = await begin();
	const { asked, run } = await attempt(first, "head -n 1 notes && date");
	expect(asked?.remember).toEqual([
		{ text: "head", exact: false, writes: false, folder: bed.work },
		{ text: "date", exact: false, writes: false, folder: bed.work },
	]);
	answer(first.id, asked?.requestId ?? "", true);
	expect(await run()).toMatch(/^two\n/);
	await expect.poll(() => first.watcher.of("copilot:permission_resolved")).toMatchObject([{ decision: "approve-once", remembered: true }]);
	end(first.turn);

	const second = await begin();
	const unasked = await attempt(second, "head -n 1 notes");
	expect(unasked.asked).toBeUndefined();
	expect(await unasked.run()).toMatch(/^two\n/);
	await expect
		.poll(() => second.watcher.of("copilot:tool_start").map(({ allowedBy }) => allowedBy))
		.toEqual([[{ text: "head", exact: false, writes: false, folder: bed.work }]]);
	expect(audited.filter(({ kind }) => kind.includes("rule")).map(({ kind, source, detail }) => [kind, source, detail])).toEqual([
		["permission-rule", "127.0.0.1", `made: head … in ${bed.work}`],
		["permission-rule", "127.0.0.1", `made: date … in ${bed.work}`],
		["rule-used", "agent", `head -n 1 notes in ${second.id}, by head … in ${bed.work}`],
	]);

	for (const { id } of remembered.list()) remembered.revoke(id, "ann");
	expect(await isAsked(second, "head -n 1 notes")).toBe(true);
	expect(audited.at(-2)).toEqual({ kind: "permission-rule", source: "ann", detail: `taken back: date … in ${bed.work}` });
	end(second.turn);
});

test("[RP46] only what a request offers is kept, and only by allowing it", async () => {
	const begun = await begin();
	const { asked, run } = await attempt(begun, "echo $HOME");
	expect(asked?.remember).toBeUndefined();
	expect(() => answer(begun.id, asked?.requestId ?? "", true)).toThrow(expect.objectContaining({ code: "bad-frame" }));
	answer(begun.id, asked?.requestId ?? "");
	await run();
	const refused = await attempt(begun, "head notes");
	const said = { conversationId: begun.id, requestId: refused.asked?.requestId ?? "", remember: true, by: "web" } as const;
	for (const decision of ["reject", "approve-for-session"] as const)
		expect(() => conversations.decide({ ...said, decision })).toThrow(expect.objectContaining({ code: "bad-frame" }));
	conversations.decide({ ...said, remember: false, decision: "reject" });
	expect(remembered.list()).toEqual([]);
	end(begun.turn);
});

test("[RP43] nothing that makes other words, another program or another place of an allowed command passes as that command", async () => {
	const outside = join(bed.home, "outside");
	mkdirSync(outside);
	writeFileSync(join(outside, "secret"), "hidden\n");
	symlinkSync(join(outside, "secret"), join(bed.work, "link"));
	const begun = await begin();
	remembered.remember(["cat", "ls"].map((word) => ({ words: [word], exact: false, writes: false, folder: bed.work })));
	expect(await isAsked(begun, "cat notes")).toBe(false);
	const hostile = [
		...["cat notes; rm notes", "cat notes\nrm notes", "cat notes & rm notes", "cat $(rm notes)", "cat `rm notes`", "cat <<< notes"],
		...["cat <<E\nx\nE", "PATH=. cat notes", "LD_PRELOAD=./x.so cat notes", "cat notes > out", "cat link", "cat ../outside/secret"],
		...["cat n*", "cat ~/x", "cat no\u200btes", "cat\u00a0notes", "ca\\\nt notes", "\u0441at notes", "cat notes #", "./cat notes"],
		...["cd .. && cat outside/secret", "eval cat notes", "cat notes | sh", "function ls { rm notes; }", "ls() { rm notes; }; ls"],
	];
	const unasked: string[] = [];
	for (const command of hostile) if (!(await isAsked(begun, command))) unasked.push(command);
	expect(unasked).toEqual([]);
	expect(existsSync(join(bed.work, "notes"))).toBe(true);
	end(begun.turn);
});

test("[RP44] in a shell that earlier commands have changed a person is asked, and what changes it after the decision changes nothing", async () => {
	mkdirSync(join(bed.work, "bin"));
	writeFileSync(join(bed.work, "bin", "cat"), "#!/bin/sh\necho FAKE\n", { mode: 0o700 });
	mkdirSync(join(bed.work, "sub"));
	writeFileSync(join(bed.work, "sub", "notes"), "below\n");
	const changes = [
		"cat(){ echo FAKE; }",
		"alias cat='echo FAKE'",
		'export PATH="$PWD/bin:$PATH"',
		"export LD_PRELOAD=/x.so",
		"shopt -s dotglob",
	];
	for (const change of changes) {
		const begun = await begin();
		expect([change, await isAsked(begun, "cat notes")]).toEqual([change, false]);
		const { asked, run } = await attempt(begun, "cat notes");
		expect(asked).toBeUndefined();
		// Between the decision and the run: a person's own command, say.
		await conversations.exec({ conversationId: begun.id, command: `${change}\ncd sub`, origin: "web" });
		await expect.poll(() => bed.shell.cwd(begun.id, bed.work)).toBe(join(bed.work, "sub"));
		expect([change, await run()]).toEqual([change, expect.stringMatching(/^two\nlines\n/)]);
		const after = await attempt(begun, "cat notes");
		expect([change, after.asked?.remember ?? "nothing"]).toEqual([change, "nothing"]);
		end(begun.turn);
	}
	// A change of the folder alone is none of the shell: the rule holds for the whole repository, and in a folder beside it nothing does.
	const moved = await begin();
	await allow(moved, "cd sub");
	expect(await allow(moved, "cat notes")).toMatch(/^below\n/);
	await allow(moved, "cd ../../outside");
	expect(await isAsked(moved, "cat secret")).toBe(true);
	end(moved.turn);
});

test("[RP52] in plan mode a reading command is what its words say, whatever earlier commands have made of them", async () => {
	const id = conversationId((await conversations.create({})).id);
	runtime.offered = { modes: ["agent", "plan"].map((mode) => ({ id: mode, name: mode })), efforts: [] };
	const changes = ["cat(){ touch changed; }", "alias head='touch changed;'", 'export PATH="$PWD/bin:$PATH"'];
	await conversations.exec({ conversationId: id, command: changes.join("\n"), origin: "web" });
	await expect.poll(() => bed.shell.plainCwd(id, bed.work)).toBeUndefined();
	await conversations.update(id, { mode: "plan", permissions: "auto" });
	conversations.prompt({ conversationId: id, prompt: "Go", origin: "web" });
	const turn = await runtime.nextTurn();
	const begun = { id, turn };
	const { asked, run } = await attempt(begun, "cat notes; head -n 1 notes");
	expect(asked).toBeUndefined();
	expect(await run()).toMatch(/^two\nlines\ntwo\n/);
	expect(existsSync(join(bed.work, "changed"))).toBe(false);
	const changing = await attempt(begun, "touch changed");
	expect(changing.asked?.remember).toBeUndefined();
	conversations.decide({ conversationId: id, requestId: changing.asked?.requestId ?? "", decision: "reject", by: "web" });
	end(turn);
});

test("[RP45] a folder that is replaced by a link between decision and run takes nothing there", async () => {
	const begun = await begin();
	await allow(begun, "cd sub");
	for (const more of [{}, { run_in_background: true }]) {
		const { asked, run } = await attempt(begun, "cat notes", more);
		expect(asked).toBeUndefined();
		rmSync(join(bed.work, "sub"), { recursive: true });
		symlinkSync(join(bed.home, "outside"), join(bed.work, "sub"));
		const text = await run();
		const bash_id = /bash_id: (\S+)/.exec(text)?.[1];
		const said = async () => (bash_id === undefined ? text : (await bed.call("BashOutput", { bash_id }, { conversation: begun.id })).text);
		await expect.poll(said).toContain("is not what it was when this was allowed");
		rmSync(join(bed.work, "sub"));
		mkdirSync(join(bed.work, "sub"));
	}
	end(begun.turn);
});
