import type { PermitRequest } from "../../ports/agent-runtime.ts";
import { readCommand } from "../remembered/read-command.ts";

/** What only looks, as runtimes name it. */
const LOOKS: ReadonlySet<string> = new Set(["read", "search", "think", "url", "fetch"]);
/** Of our tools the one that only reads what another has printed. */
const READING_TOOL = "BashOutput";
const COMMAND_TOOL = "Bash";
/** Programs that neither write a file nor start another program, whatever their arguments are. */
const READERS: ReadonlySet<string> = new Set(
	"ls pwd cat head tail wc grep egrep fgrep echo printf stat du df basename dirname readlink realpath cut tr nl true false".split(" "),
);

/** Proved to change nothing; what is not certain changes something. */
export function changesNothing({ kind, toolName, detail }: PermitRequest): boolean {
	if (LOOKS.has(kind)) return true;
	if (kind !== "custom-tool") return false;
	return toolName === READING_TOOL || (toolName === COMMAND_TOOL && detail !== undefined && onlyReads(detail));
}

function onlyReads(line: string): boolean {
	const command = readCommand(line);
	return (
		command.read &&
		command.parts.every(
			({ words, assigned, writes }) => assigned.length === 0 && writes.length === 0 && words[0] !== undefined && READERS.has(words[0]),
		)
	);
}
