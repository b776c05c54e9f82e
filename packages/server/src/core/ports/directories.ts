/** The file system, as far as core needs it. */
export interface Directories {
	/** The real path of a directory that exists and where conversations may work. Rejects with `cwd-missing` or `forbidden`. */
	resolve(path: string): Promise<string>;
}
