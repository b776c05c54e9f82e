import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { MAX_SETUP_ENTRIES, MAX_SETUP_FILE_BYTES } from "./read-inside.ts";
import { MAX_SETUP_BYTES, MAX_SETUP_FILES, MAX_SETUP_ITEMS, scanFolder } from "./scan-folder.ts";
import { MAX_NAME_CHARS, MAX_RUNS_CHARS } from "./visible-text.ts";

let root: string;
let folder: string;
beforeEach(() => {
	root = realpathSync(mkdtempSync(join(tmpdir(), "rightseat-setup-")));
	folder = join(root, "work");
	mkdirSync(folder);
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

function write(path: string, content: unknown) {
	const file = join(folder, path);
	mkdirSync(dirname(file), { recursive: true });
	writeFileSync(file, typeof content === "string" ? content : JSON.stringify(content));
}
const scan = async () => (await scanFolder(folder, [])).found;

test("[FS1] everything that a folder brings is found, with its file and with exactly what would be started, programs first", async () => {
	write(".mcp.json", {
		mcpServers: {
			tiny: { command: "node", args: ["server.js", "--name", "two words", "it's", 7], env: { KEY: "secret" } },
			far: { type: "http", url: "https://mcp.example.org/v1", headers: { Authorization: "secret" } },
		},
		servers: { other: { command: "never" } },
	});
	write(".github/mcp.json", { mcpServers: { hiddenByTheOther: { command: "never" } } });
	write(".github/hooks/b.json", { version: 1, hooks: { sessionStart: [{ type: "command", bash: "echo a > b\nls", timeoutSec: 3 }] } });
	write(".claude/settings.json", {
		model: "x",
		hooks: { PreToolUse: [{ matcher: "Bash", hooks: [{ type: "command", command: "./check.sh" }] }] },
	});
	write(".claude/settings.local.json", { model: "x" });
	write(".github/copilot/settings.json", { hooks: { agentStop: [{ command: "a.sh" }, { bash: "b.sh", powershell: "b.ps1" }] } });
	write(".github/lsp.json", { lspServers: { ts: { command: "tsls", args: ["--stdio"], fileExtensions: { ".ts": "typescript" } } } });
	write(".github/skills/one/SKILL.md", '---\nname: "First skill"\ndescription: x\n---\nDo.');
	write(".agents/skills/two/SKILL.md", "No front matter");
	write(".claude/skills/three/README.md", "no skill");
	write(".claude/commands/fix.md", "Fix it");
	write(".github/agents/review.agent.md", "Review");
	write(".github/agents/plain.md", "---\ndescription: y\n---\n");
	write(".claude/agents/c.md", "---\r\nname: see\r\n---\r\n");
	for (const name of ["AGENTS.md", "CLAUDE.md", "GEMINI.md", ".github/copilot-instructions.md", ".github/instructions/a.instructions.md"])
		write(name, "Be kind.");
	write(".github/instructions/notes.md", "none");
	expect(await scanFolder(folder, [])).toEqual({
		more: false,
		found: [
			{ kind: "hook", name: "sessionStart", source: ".github/hooks/b.json", runs: "echo a > b\nls" },
			{ kind: "hook", name: "PreToolUse", source: ".claude/settings.json", runs: "./check.sh" },
			{ kind: "hook", name: "agentStop", source: ".github/copilot/settings.json", runs: "a.sh" },
			{ kind: "hook", name: "agentStop", source: ".github/copilot/settings.json", runs: "b.sh" },
			{ kind: "hook", name: "agentStop", source: ".github/copilot/settings.json", runs: "b.ps1" },
			{ kind: "mcp", name: "tiny", source: ".mcp.json", runs: "node server.js --name 'two words' 'it'\\''s' 7", env: ["KEY"] },
			{ kind: "mcp", name: "far", source: ".mcp.json", runs: "https://mcp.example.org/v1" },
			{ kind: "lsp", name: "ts", source: ".github/lsp.json", runs: "tsls --stdio" },
			{ kind: "command", name: "fix", source: ".claude/commands/fix.md" },
			{ kind: "skill", name: "First skill", source: ".github/skills/one/SKILL.md" },
			{ kind: "skill", name: "two", source: ".agents/skills/two/SKILL.md" },
			{ kind: "agent", name: "plain", source: ".github/agents/plain.md" },
			{ kind: "agent", name: "review", source: ".github/agents/review.agent.md" },
			{ kind: "agent", name: "see", source: ".claude/agents/c.md" },
			{ kind: "instructions", name: "AGENTS.md", source: "AGENTS.md" },
			{ kind: "instructions", name: "CLAUDE.md", source: "CLAUDE.md" },
			{ kind: "instructions", name: "GEMINI.md", source: "GEMINI.md" },
			{ kind: "instructions", name: "copilot-instructions.md", source: ".github/copilot-instructions.md" },
			{ kind: "instructions", name: "a.instructions.md", source: ".github/instructions/a.instructions.md" },
		],
	});
});

test("[FS2] in a repository the folders above count up to its root, servers from each of them; outside of one only the folder itself", async () => {
	write(".mcp.json", { mcpServers: { top: { command: "top" } } });
	write("AGENTS.md", "x");
	write("a/.github/mcp.json", { mcpServers: { middle: { command: "middle" } } });
	write("a/b/.github/hooks/x.json", { hooks: { sessionStart: [{ bash: "here" }] } });
	writeFileSync(join(root, ".mcp.json"), '{"mcpServers":{"beyond":{"command":"never"}}}');
	const below = join(folder, "a/b");
	const hook = { kind: "hook", name: "sessionStart", source: ".github/hooks/x.json", runs: "here" };
	expect((await scanFolder(below, [])).found).toEqual([hook]);
	mkdirSync(join(folder, ".git"));
	expect((await scanFolder(below, [])).found).toEqual([
		hook,
		{ kind: "mcp", name: "middle", source: "../.github/mcp.json", runs: "middle" },
		{ kind: "mcp", name: "top", source: "../../.mcp.json", runs: "top" },
		{ kind: "instructions", name: "AGENTS.md", source: "../../AGENTS.md" },
	]);
});

test("[FS3] what cannot be understood or read is listed with the reason, because the agent may understand it", async () => {
	write(".mcp.json", '{"mcpServers": {');
	write(".github/hooks/a.json", "[1]");
	write(".github/hooks/b.json", "x".repeat(MAX_SETUP_FILE_BYTES + 1));
	write(".github/hooks/c.json", {
		hooks: { sessionStart: [{ type: "prompt", prompt: "hi" }, 5], stop: { hooks: {} } },
	});
	execFileSync("mkfifo", [join(folder, ".github/hooks/d.json")]);
	write(".github/hooks/e.json", "{ 'hooks': // a comment");
	mkdirSync(join(folder, ".claude/settings.json"), { recursive: true });
	write(".github/lsp.json", { servers: { ts: { command: "tsls" } } });
	write("GEMINI.md/x", "a folder in its place");
	const problem = (kind: string, name: string, source: string, because: string) => ({ kind, name, source, problem: because });
	expect(await scan()).toEqual([
		problem("hook", "a.json", ".github/hooks/a.json", "unknown-form"),
		problem("hook", "b.json", ".github/hooks/b.json", "too-large"),
		problem("hook", "sessionStart", ".github/hooks/c.json", "unknown-form"),
		problem("hook", "sessionStart", ".github/hooks/c.json", "unknown-form"),
		problem("hook", "stop", ".github/hooks/c.json", "unknown-form"),
		problem("hook", "d.json", ".github/hooks/d.json", "unreadable"),
		problem("hook", "e.json", ".github/hooks/e.json", "not-json"),
		problem("hook", "settings.json", ".claude/settings.json", "unreadable"),
		problem("mcp", ".mcp.json", ".mcp.json", "not-json"),
		problem("lsp", "lsp.json", ".github/lsp.json", "unknown-form"),
		problem("instructions", "GEMINI.md", "GEMINI.md", "unreadable"),
	]);
	write(".github/hooks/a.json", `{"hooks":{"deep":${"[".repeat(100_000)}${"]".repeat(100_000)}}}`);
	expect(await scan()).toContainEqual(problem("hook", "deep", ".github/hooks/a.json", "unknown-form"));
	for (const server of [null, 1, "x", [], {}, { command: 1 }, { command: "a", args: [{}] }, { command: [] }]) {
		write(".mcp.json", { mcpServers: { odd: server } });
		expect(await scan()).toContainEqual({ kind: "mcp", name: "odd", source: ".mcp.json", problem: "unknown-form" });
	}
});

test("[FS4] a link that leads out of the folder, or to our own files, is listed and not read; one that stays inside is", async () => {
	mkdirSync(join(root, "out/hooks"), { recursive: true });
	writeFileSync(join(root, "out/hooks/h.json"), '{"hooks":{"sessionStart":[{"bash":"secret"}]}}');
	writeFileSync(join(root, "out/mcp.json"), '{"mcpServers":{"secret":{"command":"secret"}}}');
	write(".github/real.json", { lspServers: { ts: { command: "tsls" } } });
	write("own/SKILL.md", "---\nname: secret\n---\n");
	mkdirSync(join(folder, ".claude/skills"), { recursive: true });
	symlinkSync(join(root, "out/mcp.json"), join(folder, ".mcp.json"));
	symlinkSync("../../out/hooks", join(folder, ".github/hooks"));
	symlinkSync("real.json", join(folder, ".github/lsp.json"));
	symlinkSync("../../own", join(folder, ".claude/skills/own"));
	symlinkSync("nowhere", join(folder, "AGENTS.md"));
	symlinkSync("CLAUDE.md", join(folder, "CLAUDE.md"));
	expect((await scanFolder(folder, [join(folder, "own")])).found).toEqual([
		{ kind: "hook", name: "hooks", source: ".github/hooks", problem: "outside" },
		{ kind: "mcp", name: ".mcp.json", source: ".mcp.json", problem: "outside" },
		{ kind: "lsp", name: "ts", source: ".github/lsp.json", runs: "tsls" },
		{ kind: "skill", name: "SKILL.md", source: ".claude/skills/own/SKILL.md", problem: "outside" },
		{ kind: "instructions", name: "CLAUDE.md", source: "CLAUDE.md", problem: "unreadable" },
	]);
});

test("[FS5] of each kind a bounded number is listed, and that there is more is said; many skills hide no hook", async () => {
	for (let i = 0; i < MAX_SETUP_ITEMS; i += 1) write(`.github/skills/s${i}/SKILL.md`, "x");
	write(".github/copilot/settings.json", { hooks: { sessionStart: [{ bash: "seen" }] } });
	const exact = await scanFolder(folder, []);
	expect([exact.found.length, exact.more]).toEqual([MAX_SETUP_ITEMS + 1, false]);
	write(".claude/skills/one-more/SKILL.md", "x");
	const over = await scanFolder(folder, []);
	expect([over.found.length, over.more, over.found[0]?.runs]).toEqual([MAX_SETUP_ITEMS + 1, true, "seen"]);
	rmSync(join(folder, ".github/skills"), { recursive: true });
	mkdirSync(join(folder, ".claude/commands"));
	for (let i = 0; i <= MAX_SETUP_ENTRIES; i += 1) writeFileSync(join(folder, `.claude/commands/${i}.txt`), "");
	expect((await scanFolder(folder, [])).more).toBe(true);
	rmSync(join(folder, ".claude/commands"), { recursive: true });
	for (let i = 0; i <= MAX_SETUP_FILES; i += 1) write(`.github/hooks/${i}.json`, { hooks: {} });
	expect((await scanFolder(folder, [])).more).toBe(true);
	rmSync(join(folder, ".github/hooks"), { recursive: true });
	expect((await scanFolder(folder, [])).more).toBe(false);
	write(".mcp.json", { mcpServers: Object.fromEntries(Array.from({ length: 60 }, (_, i) => [i, { command: "c".repeat(4_000) }])) });
	write(".github/mcp.json", "never read");
	mkdirSync(join(folder, ".git"));
	write("a/.mcp.json", { mcpServers: Object.fromEntries(Array.from({ length: 60 }, (_, i) => [i, { command: "d".repeat(4_000) }])) });
	const large = await scanFolder(join(folder, "a"), []);
	expect(large.more).toBe(true);
	expect(JSON.stringify(large.found.filter(({ kind }) => kind === "mcp")).length).toBeLessThan(MAX_SETUP_BYTES + MAX_SETUP_ITEMS + 2);
	expect(large.found.filter(({ kind }) => kind === "mcp").length).toBeGreaterThan(60);
});

test("[FS6] nothing that cannot be seen stands in a name or a command line, an argument never looks like two, and what is cut says how much", async () => {
	write(".mcp.json", {
		mcpServers: {
			"a\u001b[2Jb\u202Ec\nd": { command: "sh", args: ["-c", "a\nb'\\", "\u200B", "", "\ud800"] },
			[`${"n".repeat(MAX_NAME_CHARS)}xy`]: { command: "c".repeat(MAX_RUNS_CHARS + 5) },
		},
	});
	write(".github/hooks/a\u0007.json", { hooks: { e: [{ bash: "a\r\tb\n\u2066c" }] } });
	expect(await scan()).toEqual([
		{ kind: "hook", name: "e", source: ".github/hooks/a\\u0007.json", runs: "a\\u000d\tb\n\\u2066c" },
		{
			kind: "mcp",
			name: "a\\u001b[2Jb\\u202ec\\nd",
			source: ".mcp.json",
			runs: "sh -c $'a\\nb\\'\\\\' $'\\u200b' '' $'\uFFFD'",
		},
		{ kind: "mcp", name: `${"n".repeat(MAX_NAME_CHARS)}… (+2)`, source: ".mcp.json", runs: `${"c".repeat(MAX_RUNS_CHARS)}… (+5)` },
	]);
	const many = Object.fromEntries(Array.from({ length: 20 }, (_, n) => [`V${n}`, "x"]));
	write(".mcp.json", {
		mcpServers: { m: { command: "a", args: ["\u3164", "\u2800"], env: { ...many, LD_PRELOAD: "./x.so", PATH: "." } } },
	});
	expect((await scan()).find(({ name }) => name === "m")).toMatchObject({
		runs: "a $'\\u3164' $'\\u2800'",
		env: [...Object.keys(many), "… (+2)"],
	});
	write(".mcp.json", '{"mcpServers":{"__proto__":{"command":"p"}}}');
	expect(await scan()).toContainEqual({ kind: "mcp", name: "__proto__", source: ".mcp.json", runs: "p" });
});

test("[FS7] an agent whose file may name MCP servers of its own is also listed as one that is not understood", async () => {
	write(".github/agents/a.md", "---\nname: plain\ntools: [read]\n---\nUse C:\\dir and `\\n`.\n");
	write(".github/agents/b.md", "---\nname: open\nmcp-servers:\n  x:\n    command: evil\n---\n");
	write(".claude/agents/c.md", '---\n"mcp\\x2dservers": {x: {command: evil}}\n---\n');
	const servers = (await scan()).filter(({ kind }) => kind === "mcp");
	expect(servers).toEqual([
		{ kind: "mcp", name: "open", source: ".github/agents/b.md", problem: "unknown-form" },
		{ kind: "mcp", name: "c", source: ".claude/agents/c.md", problem: "unknown-form" },
	]);
});
