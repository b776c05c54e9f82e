/** What carries words between hosts. It may lose, delay, double and reorder all of them; whoever uses it must not care. */
export interface Bus {
	/** Goes out, or is lost without a word. */
	publish(subject: string, bytes: Uint8Array): void;
	/** One answer, or why there is none. Never rejects. */
	request(subject: string, bytes: Uint8Array, timeoutMs: number): Promise<BusReply>;
	/** Until the result is called. */
	subscribe(subject: string, listener: (message: BusMessage) => void): () => void;
	bucket(name: string): Bucket;
}

/** What came of a request. */
export type BusReply =
	| { kind: "reply"; bytes: Uint8Array }
	/** Nobody listens: it was certainly not delivered. */
	| { kind: "no-responders" }
	/** It may have been delivered. */
	| { kind: "timeout" }
	/** We are cut off; it was not sent. */
	| { kind: "disconnected" };

/** A message as it arrives; a request can be answered. */
export interface BusMessage {
	subject: string;
	bytes: Uint8Array;
	answer?(bytes: Uint8Array): void;
}

/** A table of values with revisions; rejects when the engine does not answer. */
export interface Bucket {
	/** The newest value there is, never an older copy of it. */
	get(key: string): Promise<BucketEntry | undefined>;
	/** Only if the entry still has this revision (undefined: is not there); undefined when it has not, else the new revision. */
	put(key: string, value: string, revision: number | undefined): Promise<number | undefined>;
}

export interface BucketEntry {
	value: string;
	revision: number;
}
