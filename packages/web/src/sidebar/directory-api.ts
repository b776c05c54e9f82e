import * as z from "zod/mini";
import { requestJson } from "../api/request.ts";

const answer = z.object({
	recent: z.optional(z.array(z.string())),
	directories: z.array(z.string()),
	default: z.optional(z.string()),
});
export type Directories = z.infer<typeof answer>;

/** Directories to work in: recent ones, and those below what is typed. */
export function listDirectories(query: string, signal: AbortSignal): Promise<Directories> {
	return requestJson(`/api/directories?q=${encodeURIComponent(query)}`, answer, { signal });
}
