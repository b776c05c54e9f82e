import { AppError } from "../core/kernel/errors.ts";

/** The sessions of one runtime that are open, by the id of their conversation: never two under one id. */
export interface OpenSessions<S extends OpenableSession> {
	/** Closes the one that is open under this id and opens another. Whatever it makes calls `onClosed` when it is closed. Rejects with an AppError. */
	open(sessionId: string, make: (onClosed: () => void) => S): Promise<S>;
	/** Resolves when none is open under this id. */
	close(sessionId: string): Promise<void>;
	closeAll(): Promise<void>;
	list(): S[];
}

/** A session as far as it is opened and closed here. */
export interface OpenableSession {
	open(): Promise<void>;
	close(): Promise<void>;
}

/** It becomes the name of a folder, and of a session of the agent. */
export const isSessionId = (id: string) => /^[A-Za-z0-9_-]{1,200}$/.test(id);

export function createOpenSessions<S extends OpenableSession>(): OpenSessions<S> {
	const sessions = new Map<string, S>();
	const close = async (sessionId: string) => sessions.get(sessionId)?.close();
	return {
		async open(sessionId, make) {
			if (!isSessionId(sessionId)) throw new AppError("session-failed", "A session id has letters, digits, _ and - only.");
			// Two on one session take each other's events, or answer each other.
			await close(sessionId);
			const session = make(() => {
				if (sessions.get(sessionId) === session) sessions.delete(sessionId);
			});
			sessions.set(sessionId, session);
			try {
				await session.open();
			} catch (error) {
				await session.close();
				throw error;
			}
			return session;
		},
		close,
		async closeAll() {
			await Promise.all([...sessions.values()].map((session) => session.close()));
		},
		list: () => [...sessions.values()],
	};
}
