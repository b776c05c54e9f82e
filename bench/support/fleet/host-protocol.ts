/** What a benchmark says to a process of light hosts. Conversations are counted over all of its hosts, host by host. */
export type HostOrder =
	/** Each of the first `speaking` conversations of every host says stamped words. */
	| { kind: "speak"; speaking: number; perSecond: number; seconds: number }
	/** As many words as said, as fast as they can be said, dealt out over the first `speaking` conversations of every host. */
	| { kind: "burst"; speaking: number; events: number };

/** Said once, when every host serves; then after every order. */
export interface HostReport {
	/** Ids of the hosts, and of the conversations of each. */
	hosts: { host: string; conversationIds: readonly string[] }[];
	/** Words said since the last report, and the head of every conversation. */
	said: number;
	heads: Record<string, number>;
	cpuMs: number;
}
