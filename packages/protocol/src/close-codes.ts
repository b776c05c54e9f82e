/** Why the server ended a WebSocket; below 4100 a client may come back, with the delay its policy says. */
export const CLOSE_CODES = {
	normal: 1000,
	/** A flood of frames that could not be understood. */
	policy: 1008,
	tooBig: 1009,
	/** The server restarts: reconnect soon. */
	restart: 1012,
	/** The login ended: show the login form, do not retry. */
	unauthorized: 4001,
	/** This reader could not keep up. */
	slow: 4008,
	/** Nothing came from the client for the heartbeat time. */
	heartbeat: 4009,
	rateLimited: 4029,
} as const;
