/**
 * The folders whose set-up a person lets run. A word about a folder holds for everything below it, until there is a later word about
 * a folder further down; without any a folder is not trusted. A work tree of ours has the trust of its repository. Every path is a real one, without links: whoever asks has resolved it.
 */
export interface TrustedFolders {
	isTrusted(realPath: string): boolean;
	/** Takes the place of every earlier word about this folder and those below it. Resolves when that survives a power cut. */
	set(realPath: string, isTrusted: boolean): Promise<void>;
	/** Every word that counts, by path, bounded. */
	list(): { path: string; trusted: boolean }[];
}
