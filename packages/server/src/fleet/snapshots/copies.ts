import type { SealedPart } from "./snapshot-parts.ts";

/** Where the last snapshot of every conversation is kept for the time that its host is away. */
export interface Copies {
	/** All parts are kept when it resolves. Rejects when nobody knows. */
	keep(parts: readonly SealedPart[]): Promise<void>;
	/** The newest message of this subject; undefined when there is none. Rejects when the engine does not answer. */
	find(subject: string): Promise<Uint8Array | undefined>;
	/** Forgets the parts of one conversation. Rejects when the engine does not answer. */
	drop(subjects: string): Promise<void>;
	/** The engine has lost what was kept: everything must be kept again. */
	onLost(listener: () => void): () => void;
}
