/** What the web channel needs to know of the configuration. */
export interface WebConfig {
	host: string;
	/** 0 picks a free one. */
	port: number;
	/** PEM texts. */
	tls?: { cert: string; key: string };
	behindProxy: boolean;
	/** The address people use, when it is not the one we listen on. */
	publicUrl?: string;
	/** `$RIGHTSEAT_HOME`; exists, mode 0700. */
	home: string;
	/** Working directory of a new conversation. */
	workdir: string;
	/** Directories within which people may work; empty: anywhere. */
	roots: readonly string[];
	/** The built page; missing: a note instead of a page. */
	webRoot: string;
	version: string;
	/** Most WebSockets at once. */
	maxSockets?: number;
	/** How long a question waits, for the page's settings. */
	askTimeoutMs: number;
}
