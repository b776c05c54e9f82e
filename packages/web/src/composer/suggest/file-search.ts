import * as z from "zod/mini";
import { requestJson } from "../../api/request.ts";

const answer = z.object({ files: z.array(z.string()) });

/** Files of the conversation's working directory whose path matches; without one, of the directory where a new one begins. */
export async function searchFiles(conversationId: string | undefined, query: string, signal: AbortSignal): Promise<string[]> {
	const where = conversationId === undefined ? "/api/files" : `/api/conversations/${encodeURIComponent(conversationId)}/files`;
	return (await requestJson(`${where}?q=${encodeURIComponent(query)}`, answer, { signal })).files;
}
