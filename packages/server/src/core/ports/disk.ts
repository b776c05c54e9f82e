/** What the store tells of the disk below it. While it is busy a commit is durable no sooner than one that is made when it is free again. */
export interface Disk {
	busy(): boolean;
	/** Tells of the moment in which it is free again; the result ends that. */
	onFree(listener: () => void): () => void;
	/** A sync has failed: what was committed since the last good one is nobody's promise until the next start. */
	hasFailed(): boolean;
	/** Called once, in that moment, before anything is lost. */
	onFailed(listener: () => void): void;
}
