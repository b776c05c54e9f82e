/**
 * A long-lived part of the server. The composition root starts the parts in the order in which they need each other, then, at the end,
 * drains all of them and closes all of them in reverse. What a part has no use for it leaves out.
 */
export interface Lifecycle {
	/** Begins to serve. Rejects when it cannot; nothing reaches anybody before. */
	start?(): Promise<void>;
	/** Takes nothing new and lets what runs come to its end. What others still need of it goes on until `close`. */
	drain?(): Promise<void> | void;
	/** Lets go of everything. May be called without `start` and `drain`, when a later part could not be built. */
	close(): Promise<void> | void;
}
