import { isDeepStrictEqual } from "node:util";
import type { McpServer, McpServerInput, McpServersAnswer } from "@rightseat/protocol/http/mcp-servers";
import { AppError } from "../../core/kernel/errors.ts";
import { createOwnMcpServers } from "./own-mcp-servers.ts";
import { secretsOf, shownServer, withKept } from "./shown-server.ts";

/** Where a person's server is kept. */
export type PersonSource = McpServersAnswer["sources"][string];

/** All MCP servers that a person set up: on the page, and in config.json, where they are also changed. */
export interface PersonServers {
	/** With their secrets. */
	all(): { name: string; source: PersonSource; server: McpServer; hides?: string[] }[];
	/** Without any secret. */
	view(): McpServersAnswer;
	/** Replaces those of the page. Rejects with an AppError, and then nothing has changed. */
	replace(servers: Readonly<Record<string, McpServerInput>>): Promise<McpServersAnswer>;
	/** The server that is meant, with its secrets: one that is kept, or this one with kept values. Throws an AppError. */
	find(wanted: { name?: string | undefined; server?: McpServerInput | undefined }): McpServer;
}

export function createPersonServers(deps: {
	home: string;
	configured: Readonly<Record<string, McpServer>>;
	hide(secret: string): void;
}): PersonServers {
	const own = createOwnMcpServers(deps);
	const configured = new Map(Object.entries(deps.configured));
	for (const server of configured.values()) for (const secret of secretsOf(server)) if (secret !== "") deps.hide(secret);

	function view(): McpServersAnswer {
		const fixed = [...configured].map(([name, server]) => [name, shownServer(server)] as const);
		const kept = Object.entries(own.view()).filter(([name]) => !configured.has(name));
		return {
			mcpServers: Object.fromEntries([...fixed, ...kept]),
			sources: Object.fromEntries([...fixed.map(([name]) => [name, "config.json"]), ...kept.map(([name]) => [name, "settings"])]),
		};
	}

	/** What was shown may be sent back; a change has to be made where the server is kept. */
	function isAsConfigured(name: string, sent: McpServerInput): boolean {
		const fixed = configured.get(name);
		if (fixed === undefined) return false;
		const filled = withKept(sent, fixed);
		if ("server" in filled && isDeepStrictEqual(filled.server, fixed)) return true;
		throw new AppError("bad-request", `The MCP server ${name} is kept in config.json. Change it there and start again.`, {
			params: { reason: "mcp-in-config", server: name },
		});
	}

	return {
		view,
		all() {
			const kept = Object.entries(own.all());
			const fixed = [...configured].map(([name, server]) => {
				const hides = kept.some(([each]) => each === name) ? { hides: ["settings"] } : {};
				return { name, source: "config.json" as const, server, ...hides };
			});
			const rest = kept.flatMap(([name, server]) => (configured.has(name) ? [] : [{ name, source: "settings" as const, server }]));
			return [...fixed, ...rest];
		},
		async replace(servers) {
			await own.replace(Object.fromEntries(Object.entries(servers).filter(([name, server]) => !isAsConfigured(name, server))));
			return view();
		},
		find({ name, server }) {
			const kept = name === undefined ? undefined : (configured.get(name) ?? new Map(Object.entries(own.all())).get(name));
			if (server === undefined) {
				if (kept !== undefined) return kept;
				throw new AppError("not-found", `There is no MCP server “${name ?? ""}” here.`, {
					params: { reason: "mcp-server", server: name ?? "" },
				});
			}
			const filled = withKept(server, kept);
			if ("server" in filled) {
				for (const secret of secretsOf(filled.server)) if (secret !== "") deps.hide(secret);
				return filled.server;
			}
			const value = filled.missing;
			throw new AppError("bad-request", `The value of ${value} of the MCP server is not known here. Give it again.`, {
				params: { reason: "mcp-value-missing", server: name ?? "", value },
			});
		},
	};
}
