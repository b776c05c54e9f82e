export const MAX_RECENT_DIRECTORIES = 5;

/** Directories used lately, each once and newest first, that fit what is typed. */
export function recentDirectories(used: readonly string[], typed: string): string[] {
	const query = typed.trim().toLowerCase();
	return [...new Set(used)].filter((path) => path !== typed && path.toLowerCase().includes(query)).slice(0, MAX_RECENT_DIRECTORIES);
}
