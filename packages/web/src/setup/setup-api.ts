import { type FolderSetupAnswer, folderSetupAnswer, folderTrustList } from "@rightseat/protocol/http/folders";
import type { Conversation } from "@rightseat/protocol/model/conversation";
import { request, requestJson } from "../api/request.ts";

/** A folder, and the host that it is on. */
export interface FolderPlace {
	path: string;
	host?: string | undefined;
}

export const placeOf = ({ cwd, host }: Pick<Conversation, "cwd" | "host">): FolderPlace => ({ path: cwd, host: host?.id });

const query = ({ path, host }: FolderPlace) => new URLSearchParams({ path, ...(host === undefined ? {} : { host }) });

/** What folders bring and what people said about them. Every call may throw ApiError. */
export const setupApi = {
	folder: (place: FolderPlace, signal?: AbortSignal): Promise<FolderSetupAnswer> =>
		requestJson(`/api/folders/setup?${query(place)}`, folderSetupAnswer, signal === undefined ? {} : { signal }),
	words: () => requestJson("/api/folders/trust", folderTrustList),
	async trust(place: FolderPlace, trusted: boolean): Promise<void> {
		await request("/api/folders/trust", { method: "PUT", json: { ...place, trusted } });
	},
} as const;

const RUNS: ReadonlySet<string> = new Set(["hook", "mcp", "lsp"]);
/** Starts a program, or may. */
export const startsProgram = ({ kind }: { kind: string }) => RUNS.has(kind);
/** Off until the folder is trusted; instructions are read anyhow. */
export const needsTrust = ({ kind }: { kind: string }) => kind !== "instructions";
