/** What a person allowed for good in a folder. */
export interface PermissionRule {
	id: string;
	/** A real path: the root of the repository, or the folder itself; of exact words always the folder in which they ran. */
	folder: string;
	words: string[];
	/** True: these words and no others. False: these and any arguments. */
	exact: boolean;
	/** It may also write its output to files of the folder. */
	writes: boolean;
	createdAt: number;
}

export interface PermissionRuleStore {
	/** The oldest first. */
	list(): PermissionRule[];
	ofFolder(folder: string): PermissionRule[];
	/** The same words of the same folder are one rule: it keeps its id and its place, and may write if either may. */
	add(rule: PermissionRule): void;
	/** False when there is none of that id. */
	remove(id: string): boolean;
}
