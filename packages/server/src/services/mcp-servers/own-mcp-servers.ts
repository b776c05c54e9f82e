import { readFileSync } from "node:fs";
import { join } from "node:path";
import { keptMcpServers, type McpServer, type McpServerInput } from "@rightseat/protocol/http/mcp-servers";
import { AppError } from "../../core/kernel/errors.ts";
import { writePrivateFile } from "../private-file.ts";
import { secretsOf, shownServer, withKept } from "./shown-server.ts";

/** What a person set up on the page, secrets and all; private, beside the token. */
export const MCP_SERVERS_FILE = "mcp-servers.json";

/** The MCP servers that a person gave to every conversation. */
export interface OwnMcpServers {
	/** With their secrets, for whoever starts them. */
	all(): Record<string, McpServer>;
	/** Without any secret. */
	view(): Record<string, McpServerInput>;
	/** Replaces all of them; values that were not sent stay. Rejects with an AppError, and then nothing has changed. */
	replace(servers: Readonly<Record<string, McpServerInput>>): Promise<Record<string, McpServerInput>>;
}

export function createOwnMcpServers(deps: {
	home: string;
	/** Makes the redactor know a secret. */
	hide(secret: string): void;
}): OwnMcpServers {
	const file = join(deps.home, MCP_SERVERS_FILE);
	let current = readServers(file);
	// One at a time: two changes at once could be written in one order and used in the other.
	let last: Promise<unknown> = Promise.resolve();
	hideAll(current === "unreadable" ? new Map() : current);

	function hideAll(servers: ReadonlyMap<string, McpServer>): void {
		for (const server of servers.values()) for (const secret of secretsOf(server)) if (secret !== "") deps.hide(secret);
	}

	async function replace(sent: Readonly<Record<string, McpServerInput>>) {
		// Whatever is in it was a person's: it is not written over before somebody has looked at it.
		if (current === "unreadable") throw unreadable();
		const next = new Map<string, McpServer>();
		for (const [name, server] of Object.entries(sent)) {
			const filled = withKept(server, current.get(name));
			if ("missing" in filled) throw valueMissing(name, filled.missing);
			next.set(name, filled.server);
		}
		hideAll(next);
		await writePrivateFile(file, `${JSON.stringify({ mcpServers: Object.fromEntries(next) })}\n`).catch(notStored);
		current = next;
		return view();
	}
	const known = () => (current === "unreadable" ? new Map<string, McpServer>() : current);
	const view = () => Object.fromEntries([...known()].map(([name, server]) => [name, shownServer(server)]));
	return {
		all: () => Object.fromEntries(known()),
		view,
		replace(servers) {
			const done = last.then(() => replace(servers));
			last = done.catch(() => undefined);
			return done;
		},
	};
}

function readServers(file: string): ReadonlyMap<string, McpServer> | "unreadable" {
	let content: string;
	try {
		content = readFileSync(file, "utf8");
	} catch (error) {
		return error instanceof Error && "code" in error && error.code === "ENOENT" ? new Map() : "unreadable";
	}
	try {
		const kept = keptMcpServers.safeParse(JSON.parse(content));
		return kept.success ? new Map(Object.entries(kept.data.mcpServers)) : "unreadable";
	} catch {
		// The parser's own message quotes the text, which holds secrets.
		return "unreadable";
	}
}

const unreadable = () =>
	new AppError(
		"storage-read-only",
		`${MCP_SERVERS_FILE} cannot be understood, so it is not written over. Mend it or move it away, then start again.`,
		{
			params: { reason: "mcp-servers-unreadable", file: MCP_SERVERS_FILE },
		},
	);
const valueMissing = (server: string, value: string) =>
	new AppError("bad-request", `The value of ${value} of the MCP server ${server} is not known here. Give it again.`, {
		params: { reason: "mcp-value-missing", server, value },
	});
function notStored(error: unknown): never {
	throw new AppError("storage-read-only", "The MCP servers could not be stored, so nothing was changed. Check the disk, then try again.", {
		cause: error,
		params: { reason: "mcp-servers" },
	});
}
