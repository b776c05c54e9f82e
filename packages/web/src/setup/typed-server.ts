import type { McpServerInput } from "@rightseat/protocol/http/mcp-servers";

/** What a person typed about a server of their own. */
export interface TypedServer {
	/** A program, or an address of the web. */
	program: string;
	args: string;
	/** Variables of the program, or headers of the requests. */
	secrets: string;
}

export const isAddress = (program: string) => /^https?:\/\//i.test(program.trim());

/** The server that is meant, or the line that is not understood. */
export function readTypedServer({ program, args, secrets }: TypedServer): { server: McpServerInput } | { badLine: string } {
	const isRemote = isAddress(program);
	const pairs = new Map<string, string>();
	for (const line of linesOf(secrets)) {
		const at = line.indexOf(isRemote ? ":" : "=");
		if (at < 1) return { badLine: line };
		pairs.set(line.slice(0, at).trim(), isRemote ? line.slice(at + 1).trim() : line.slice(at + 1));
	}
	const values = Object.fromEntries(pairs);
	if (isRemote) return { server: { type: "http", url: program.trim(), headers: values } };
	return { server: { command: program.trim(), args: linesOf(args), env: values } };
}

const linesOf = (text: string) => text.split("\n").filter((line) => line.trim() !== "");
