/**
 * Looks for programs without starting any. A directory of `PATH` may lie on a mount that never answers, so this is, like every look
 * at folders, not done in the server's own process.
 */
export interface Programs {
	/** Those of these names that are programs in this directory. Rejects with `folder-not-answering` when no answer comes in time. */
	programs(directory: string, names: readonly string[]): Promise<Program[]>;
}

/** A program that was found. */
export interface Program {
	name: string;
	/** Where it was found, links not resolved. */
	path: string;
	/** What the package that it came with says; null where none says it. */
	version: string | null;
}
