import type { AgentSetups, OfferedServer } from "../../core/ports/agent-setup.ts";
import type { FolderMcpServer, Folders } from "../../core/ports/folders.ts";
import type { TrustedFolders } from "../../core/ports/trusted-folders.ts";
import type { PersonServers } from "./person-servers.ts";

const PROBLEMS: Readonly<Record<NonNullable<FolderMcpServer["problem"]>, string>> = {
	"not-json": "The file is not valid JSON.",
	"unknown-form": "What the file says about it cannot be understood.",
	"too-large": "The file is too large.",
	unreadable: "The file cannot be read.",
	outside: "The file is a link that leads out of the folder.",
};

/** What agents are given in a folder: a person's own servers before those of the folder, which nobody gets before the folder is trusted. */
export function createAgentSetups(deps: {
	person: Pick<PersonServers, "all">;
	folders: Pick<Folders, "look" | "setup" | "mcpServers">;
	trusted: Pick<TrustedFolders, "isTrusted">;
}): AgentSetups {
	const realPath = async (cwd: string) => (await deps.folders.look(cwd))?.realPath ?? cwd;
	return {
		async servers(cwd) {
			const offered = new Map<string, OfferedServer>();
			for (const each of deps.person.all()) put(offered, { ...each, isAllowed: true });
			// A folder that does not answer brings nothing; whoever opens a session there says so.
			const folder = await realPath(cwd).catch(() => undefined);
			if (folder === undefined) return [...offered.values()];
			const isAllowed = deps.trusted.isTrusted(folder);
			const brought = await deps.folders.mcpServers(folder).catch(() => []);
			for (const { name, source, server, problem } of brought) {
				const said = problem === undefined ? {} : { problem: PROBLEMS[problem] };
				put(offered, { name, source, isAllowed, server, ...said });
			}
			return [...offered.values()];
		},
		async look(cwd) {
			const folder = await realPath(cwd);
			return { trusted: deps.trusted.isTrusted(folder), found: (await deps.folders.setup(folder)).found };
		},
	};
}

/** Names that the model could not tell apart are one name; the first has it. */
function put(offered: Map<string, OfferedServer>, server: OfferedServer) {
	const key = server.name.replace(/[^A-Za-z0-9_-]/g, "-");
	const first = offered.get(key);
	if (first === undefined) offered.set(key, server);
	else first.hides = [...(first.hides ?? []), server.source];
}
