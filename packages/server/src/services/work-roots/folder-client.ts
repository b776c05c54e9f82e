import { mcpServerSchema } from "@rightseat/protocol/http/mcp-servers";
import { AppError } from "../../core/kernel/errors.ts";
import type { FolderMcpServer, Folders } from "../../core/ports/folders.ts";
import type { Programs } from "../../core/ports/programs.ts";
import { createFolderCalls, type FolderCallsDeps } from "./folder-calls.ts";
import type { FolderAnswer, FolderAsk } from "./folder-protocol.ts";

/** The server's end of the folder process: every call has a deadline, and a process that is stuck is replaced. */
export function createFolderClient({
	hidden = [],
	...deps
}: Omit<FolderCallsDeps, "notAnswering"> & {
	/** Real paths that nobody is shown, with all that is in them. */
	hidden?: readonly string[];
}): Folders & Programs & { close(): void } {
	const calls = createFolderCalls({ ...deps, notAnswering });
	/** The same question asked by many at once is one look. */
	const shared = new Map<string, Promise<FolderAnswer>>();

	function ask(request: FolderAsk): Promise<FolderAnswer> {
		const key = JSON.stringify(request);
		const known = shared.get(key);
		if (known !== undefined) return known;
		const answer = calls.ask(request).finally(() => shared.delete(key));
		shared.set(key, answer);
		return answer;
	}

	return {
		async look(path) {
			const answer = await ask({ kind: "look", path });
			if (answer.kind !== "look") throw notAnswering(path);
			return answer.found ?? undefined;
		},
		async children(path) {
			const answer = await ask({ kind: "children", path });
			if (answer.kind === "names") return answer.names;
			throw unreadable(path, answer.kind === "failed" ? answer.code : "");
		},
		async find(path, query) {
			const answer = await ask({ kind: "find", path, query });
			return answer.kind === "names" ? answer.names : [];
		},
		async entries(path, within) {
			const answer = await ask({ kind: "entries", path, view: { within, hidden } });
			if (answer.kind !== "entries") throw notShown(path, answer);
			return answer;
		},
		async bytes(path, within) {
			const answer = await ask({ kind: "bytes", path, view: { within, hidden } });
			if (answer.kind !== "bytes") throw notShown(path, answer);
			return answer;
		},
		async git(path) {
			const answer = await ask({ kind: "git", path });
			return answer.kind === "git" ? (answer.git ?? undefined) : undefined;
		},
		async setup(path) {
			const answer = await ask({ kind: "setup", path, hidden });
			if (answer.kind !== "setup") throw notAnswering(path);
			return { found: answer.found, more: answer.more };
		},
		async mcpServers(path) {
			const answer = await ask({ kind: "mcp", path, hidden });
			if (answer.kind !== "mcp") throw notAnswering(path);
			return answer.servers.map(checkedServer);
		},
		async programs(directory, names) {
			const answer = await ask({ kind: "programs", path: directory, names });
			return answer.kind === "programs" ? answer.programs : [];
		},
		close: calls.close,
	};
}

/** The folder process loads no schemas; what a person of ours may not set up, a folder may not either. */
function checkedServer(found: FolderMcpServer): FolderMcpServer {
	if (found.server === undefined) return found;
	const { name, source } = found;
	const checked = mcpServerSchema.safeParse(found.server);
	return checked.success ? { name, source, server: checked.data } : { name, source, problem: "unknown-form" };
}

const unreadable = (path: string, because: string) =>
	new AppError("forbidden", `${path} cannot be read${because === "" ? "" : ` (${because})`}.`, {
		params: { reason: "unreadable", path, because },
	});
const notAnswering = (path: string) =>
	new AppError(
		"folder-not-answering",
		`${path} does not answer. If it lies on a network or removable disk, look at that, then try again.`,
		{ retryable: true, params: { path } },
	);

/** Why a folder or file is not shown. */
function notShown(path: string, answer: FolderAnswer): AppError {
	const because = answer.kind === "refused" ? answer.because : "";
	if (because === "outside")
		return new AppError("forbidden", `${path} is outside the folders that can be looked at here.`, {
			params: { reason: "outside-view", path },
		});
	if (because === "not-a-folder" || because === "not-a-file")
		return new AppError("bad-request", `${path} cannot be shown: it is no ordinary file or folder.`, {
			params: { reason: "not-shown", path },
		});
	if (because === "missing")
		return new AppError("not-found", `${path} is not there, or may not be read.`, { params: { reason: "file", path } });
	return unreadable(path, answer.kind === "failed" ? answer.code : "");
}
