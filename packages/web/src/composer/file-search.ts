import * as z from "zod/mini";
import { requestJson } from "../api/request.ts";

const answer = z.object({ files: z.array(z.string()) });

/** Files of the conversation's working directory whose path matches. */
export async function searchFiles(conversationId: string, query: string, signal: AbortSignal): Promise<string[]> {
	const path = `/api/conversations/${encodeURIComponent(conversationId)}/files?q=${encodeURIComponent(query)}`;
	return (await requestJson(path, answer, { signal })).files;
}
