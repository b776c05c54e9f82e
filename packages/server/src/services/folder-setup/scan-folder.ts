import { basename, join, relative } from "node:path";
import type { FolderSetupItem } from "@rightseat/protocol/http/folders";
import { SETUP_KINDS } from "@rightseat/protocol/model/folder-setup";
import type { FolderSetup } from "../../core/ports/folders.ts";
import { levelsOf, MCP_FILES } from "./levels.ts";
import { frontMatterName, mayNameServers, type Parsed, parseHooks, parseServers } from "./parse-setup.ts";
import { type Inside, readNamesInside, readTextInside } from "./read-inside.ts";
import { visibleName } from "./visible-text.ts";

/** Of each kind so many are listed: a thousand skills must not hide one hook. */
export const MAX_SETUP_ITEMS = 200;
/** And so much of it, as JSON. */
export const MAX_SETUP_BYTES = 262_144;
/** Files of one kind that are read, whatever is in them. */
export const MAX_SETUP_FILES = 400;

const HOOK_SETTINGS = [
	".claude/settings.json",
	".claude/settings.local.json",
	".github/copilot/settings.json",
	".github/copilot/settings.local.json",
];
const SKILLS = [".github/skills", ".agents/skills", ".claude/skills"];
const AGENTS = [".github/agents", ".claude/agents"];
const INSTRUCTIONS = ["AGENTS.md", "CLAUDE.md", "GEMINI.md", ".github/copilot-instructions.md"];

type Kind = FolderSetupItem["kind"];

/**
 * What a folder, and the repository around it, bring for an agent, with what of it would be started. Reads files and runs nothing; belongs
 * into the folder process. A file that cannot be understood is an item with a problem, because the agent may understand it.
 */
export async function scanFolder(folder: string, hidden: readonly string[]): Promise<FolderSetup> {
	const levels = await levelsOf(folder);
	const top = levels.at(-1) ?? folder;
	const scan = createScan(folder, { top, hidden });
	for (const level of levels) await scanMcp(scan, level);
	for (const level of new Set([folder, top])) {
		await scanHooks(scan, level);
		await scanFile(scan, "lsp", join(level, ".github/lsp.json"), (text) => parseServers(text, "lspServers", "lsp.json"));
		await scanMarkdown(scan, "command", join(level, ".claude/commands"));
		for (const skills of SKILLS) await scanSkills(scan, join(level, skills));
		for (const agents of AGENTS) await scanMarkdown(scan, "agent", join(level, agents));
		await scanInstructions(scan, level);
	}
	return scan.result();
}

function createScan(folder: string, inside: Inside) {
	const items = new Map<Kind, FolderSetupItem[]>(SETUP_KINDS.map((kind) => [kind, []]));
	const used = new Map<Kind, number>();
	const files = new Map<Kind, number>();
	const full = new Set<Kind>();
	let more = false;
	return {
		inside,
		/** False when enough of this kind was read: whoever writes ten thousand files shall not have them all read. */
		mayRead(kind: Kind) {
			const count = (files.get(kind) ?? 0) + 1;
			files.set(kind, count);
			return count <= MAX_SETUP_FILES && !full.has(kind);
		},
		add(kind: Kind, path: string, parsed: readonly Parsed[]) {
			const known = items.get(kind) ?? [];
			const source = visibleName(relative(folder, path));
			for (const { name, ...rest } of parsed) {
				const item = { kind, name, source, ...rest };
				const bytes = (used.get(kind) ?? 0) + Buffer.byteLength(JSON.stringify(item));
				if (known.length >= MAX_SETUP_ITEMS || bytes > MAX_SETUP_BYTES) {
					more = true;
					full.add(kind);
					return;
				}
				used.set(kind, bytes);
				known.push(item);
			}
		},
		sayMore() {
			more = true;
		},
		result: (): FolderSetup => ({ found: [...items.values()].flat(), more }),
	};
}
type Scan = ReturnType<typeof createScan>;

/** False: there is no such file. */
async function scanFile(scan: Scan, kind: Kind, path: string, parse: (text: string) => Parsed[]): Promise<boolean> {
	const read = scan.mayRead(kind) ? await readTextInside(path, scan.inside) : undefined;
	if (read === undefined) scan.sayMore();
	if (read === undefined || read.kind === "missing") return false;
	scan.add(kind, path, read.kind === "text" ? parse(read.text) : [{ name: visibleName(basename(path)), problem: read.problem }]);
	return true;
}

/** The names in a directory; none where there is no directory that can be read. */
async function namesIn(scan: Scan, kind: Kind, path: string): Promise<string[]> {
	const read = await readNamesInside(path, scan.inside);
	if (read.kind === "problem") scan.add(kind, path, [{ name: visibleName(basename(path)), problem: read.problem }]);
	if (read.kind !== "names") return [];
	if (read.more) scan.sayMore();
	return read.names;
}

async function scanMcp(scan: Scan, level: string): Promise<void> {
	for (const name of MCP_FILES) {
		const parse = (text: string) => parseServers(text, "mcpServers", basename(name));
		if (await scanFile(scan, "mcp", join(level, name), parse)) return;
	}
}

async function scanHooks(scan: Scan, level: string): Promise<void> {
	const folder = join(level, ".github/hooks");
	for (const name of (await namesIn(scan, "hook", folder)).filter((each) => each.endsWith(".json")))
		await scanFile(scan, "hook", join(folder, name), (text) => parseHooks(text, { fileName: visibleName(name), isSettings: false }));
	for (const name of HOOK_SETTINGS)
		await scanFile(scan, "hook", join(level, name), (text) => parseHooks(text, { fileName: basename(name), isSettings: true }));
}

async function scanSkills(scan: Scan, folder: string): Promise<void> {
	for (const name of await namesIn(scan, "skill", folder))
		await scanFile(scan, "skill", join(folder, name, "SKILL.md"), (text) => [{ name: frontMatterName(text) ?? visibleName(name) }]);
}

async function scanMarkdown(scan: Scan, kind: "command" | "agent", folder: string): Promise<void> {
	for (const name of (await namesIn(scan, kind, folder)).filter((each) => each.endsWith(".md"))) {
		const stem = visibleName(name.replace(kind === "agent" ? /(\.agent)?\.md$/ : /\.md$/, ""));
		const path = join(folder, name);
		await scanFile(scan, kind, path, (text) => {
			const named = frontMatterName(text) ?? stem;
			if (kind === "agent" && mayNameServers(text)) scan.add("mcp", path, [{ name: named, problem: "unknown-form" }]);
			return [{ name: named }];
		});
	}
}

async function scanInstructions(scan: Scan, level: string): Promise<void> {
	for (const name of INSTRUCTIONS) await scanFile(scan, "instructions", join(level, name), () => [{ name: basename(name) }]);
	const folder = join(level, ".github/instructions");
	for (const name of (await namesIn(scan, "instructions", folder)).filter((each) => each.endsWith(".instructions.md")))
		await scanFile(scan, "instructions", join(folder, name), () => [{ name: visibleName(name) }]);
}
