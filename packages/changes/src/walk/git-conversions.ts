import { type IgnoreRules, parseIgnoreRules } from "../ignore/ignore-rules.ts";
import { latin1Of } from "../paths/byte-path.ts";
import { readAttributes } from "./git-files.ts";
import { readPath } from "./read-path.ts";
import { childPath, type Folder, type Walk } from "./tree.ts";

/** Attributes with which other bytes may lie in the folder than in the repository. Line ends are none of them: they change the size. */
const CONVERTS = /(?:^|\s)(?:filter|ident|working-tree-encoding)\b/;

/** May git write other bytes of this file than it keeps? Read from everything that sets attributes, and yes in case of doubt. */
export function findConversions(walk: Walk, home: string): (path: string) => boolean {
	const { attributes, config } = readAttributes(walk.root);
	const settings = latin1Of(process.env.XDG_CONFIG_HOME ?? `${home}/.config`);
	const personal = [textIn(latin1Of(home), ".gitconfig"), textIn(settings, "git/config"), textIn(settings, "git/attributes")];
	const system = ["gitconfig", "gitattributes"].map((name) => textIn("/etc", name));
	const all = [config, ...personal, ...system].join("\n");
	// Attributes that lie anywhere else.
	if (/attributesfile|\binclude/i.test(all)) return () => true;
	const sources: { below: string; rules: IgnoreRules }[] = [];
	const add = (below: string, text: string) => {
		const patterns = convertedBy(text);
		if (patterns !== "") sources.push({ below, rules: parseIgnoreRules(patterns) });
	};
	for (const text of [attributes, ...personal.slice(2), ...system.slice(1)]) add("", text);
	visit(walk.top, (folder) => {
		if (folder.children.has(".gitattributes"))
			add(folder.path === "" ? "" : `${folder.path}/`, textIn(walk.root, childPath(folder, ".gitattributes")));
	});
	return (path) => sources.some(({ below, rules }) => path.startsWith(below) && rules.judge(path.slice(below.length), false) === true);
}

/** The patterns of the lines that convert; a name that stands for several attributes may stand for those. */
function convertedBy(text: string): string {
	const lines = text.split("\n").filter((line) => CONVERTS.test(line) || line.startsWith("[attr]"));
	return lines.map((line) => (/^["[]/.test(line) ? "*" : (line.trim().split(/\s/)[0] ?? ""))).join("\n");
}

function visit(folder: Folder, look: (folder: Folder) => void): void {
	look(folder);
	for (const child of folder.children.values()) if (child.kind === "folder") visit(child, look);
}

const textIn = (folder: string, name: string) => Buffer.from(readPath(folder, name).bytes ?? []).toString("latin1");
