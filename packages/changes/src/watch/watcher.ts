/** Tells which paths may have changed; asked at sync points only. */
export interface Watcher {
	/** Watches a folder, not what is below it. A folder that is watched already keeps its number. Negative: it cannot be watched. */
	add(folder: string | Buffer): number;
	remove(watch: number): void;
	/** Everything since the last call. False: some of it is lost. */
	drain(onEvent: (event: WatchEvent) => void): boolean;
	close(): void;
}

export interface WatchEvent {
	readonly watch: number;
	/** Bytes as latin1; empty for the folder itself. */
	readonly name: string;
	/** The kernel has stopped watching it: it was removed or unmounted. */
	readonly gone: boolean;
}
