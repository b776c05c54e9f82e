import { directoriesAnswer } from "@rightseat/protocol/http/files";
import { requestJson } from "../api/request.ts";

export interface Directories {
	/** Where a conversation begins when nothing is chosen; known only while nothing is typed. */
	fallback: string | undefined;
	recent: string[];
	/** Directories whose path begins with what is typed. */
	matching: string[];
}

/** The server, or another host of its fleet, lists one directory at a time; what stands after the last slash only narrows that list. */
export async function findDirectories(typed: string, signal: AbortSignal, host?: string): Promise<Directories> {
	const { directory, start } = splitPath(typed);
	const query = new URLSearchParams({ ...(directory === "" ? {} : { path: directory }), ...(host === undefined ? {} : { host }) });
	const { path, directories, recent } = await requestJson(`/api/directories${query.size === 0 ? "" : `?${query}`}`, directoriesAnswer, {
		signal,
	});
	return {
		fallback: typed === "" ? path : undefined,
		recent,
		matching: directories.filter(({ name }) => fits(name, start)).map((child) => child.path),
	};
}

export function splitPath(typed: string): { directory: string; start: string } {
	const text = typed.trim();
	const slash = text.lastIndexOf("/");
	if (slash < 0) return { directory: text === "~" ? "~" : "", start: text === "~" ? "" : text };
	return { directory: slash === 0 ? "/" : text.slice(0, slash), start: text.slice(slash + 1) };
}

/** Hidden directories appear only when a dot is typed. */
export function fits(name: string, start: string): boolean {
	if (name.startsWith(".") && !start.startsWith(".")) return false;
	return name.toLowerCase().startsWith(start.toLowerCase());
}
