import { treeAnswer } from "@rightseat/protocol/http/files";
import { request, requestJson } from "../api/request.ts";

const of = (id: string) => `/api/conversations/${encodeURIComponent(id)}`;
const at = (id: string, route: "tree" | "file", path: string) => `${of(id)}/${route}?${new URLSearchParams({ path })}`;

/** Folders and files of a conversation's directory. Every call may throw ApiError. */
export const filesApi = {
	tree: (id: string, path: string, signal: AbortSignal) => requestJson(at(id, "tree", path), treeAnswer, { signal }),
	async file(id: string, path: string, signal: AbortSignal): Promise<{ bytes: Uint8Array; size: number }> {
		const response = await request(at(id, "file", path), { signal });
		const bytes = new Uint8Array(await response.arrayBuffer());
		return { bytes, size: Number(response.headers.get("x-file-size") ?? bytes.length) };
	},
	fileUrl: (id: string, path: string) => at(id, "file", path),
} as const;
