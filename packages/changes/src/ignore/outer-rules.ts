import { homedir } from "node:os";
import { latin1Of } from "../paths/byte-path.ts";
import { readExclude } from "../walk/git-files.ts";
import { readPath } from "../walk/read-path.ts";
import { type IgnoreRules, parseIgnoreRules } from "./ignore-rules.ts";

/** Where there is no repository to say what is generated. */
const GENERATED = ["node_modules/", ".venv/", "venv/", "__pycache__/", ".cache/", ".tox/", ".gradle/", ".hg/", ".svn/"];

/** Rules that hold besides the `.gitignore` files of a root, those that win first. */
export function readOuterRules(root: string, home: string = homedir()): IgnoreRules[] {
	const isRepository = readPath(root, ".git").state.kind !== "absent";
	const texts = isRepository ? [readExclude(root), readUserRules(latin1Of(home))] : [GENERATED.join("\n")];
	return texts.filter((text) => text !== "").map(parseIgnoreRules);
}

/** What the user told git to ignore everywhere. */
function readUserRules(home: string): string {
	const config = read(home, ".gitconfig") || read(home, ".config/git/config");
	const [, named] = /^\s*excludesfile\s*=\s*"?([^"\n]+?)"?\s*$/im.exec(config) ?? [];
	if (named === undefined) return read(home, ".config/git/ignore");
	return named.startsWith("~/") ? read(home, named.slice(2)) : named.startsWith("/") ? read("/", named.slice(1)) : "";
}

const read = (folder: string, name: string) => Buffer.from(readPath(folder, name).bytes ?? []).toString("latin1");
