/** A part of the sessions that an agent keeps. */
export interface SessionPage {
	sessions: ListedSession[];
	/** The agent's own; absent after the last page. */
	nextCursor?: string;
}
/** A session as the agent lists it. */
export interface ListedSession {
	sessionId: string;
	/** May be empty. */
	title: string;
	/** Where it works, as the agent says. */
	cwd: string;
	/** When something happened in it, as the agent says. */
	updatedAt?: string;
	/** Another process has it open now: what that one adds from now on is not in the copy. */
	isHeld?: true;
	/** Why nobody can go on with it: it cannot be read, is too large, or leads out of its folder or to another user. */
	problem?: "damaged" | "too-large" | "foreign";
}

/** What was said in a session before a conversation took it over, oldest first. */
export interface SaidBefore {
	messages: {
		role: "user" | "assistant";
		text: string;
		at?: number;
		/** By which the agent knows a prompt. */
		mark?: string;
	}[];
	/** More was said than that. */
	isCut: boolean;
}

/** Which session goes where. */
export interface HandOver {
	sessionId: string;
	/** For a copy, where the other program has something else under that id. */
	newSessionId: string;
	cwd: string;
}
/** Where it goes on. */
export interface HandedOver {
	sessionId: string;
	/** The other program's session under the old id has something of its own, or is open there: this is another one. */
	isCopy: boolean;
	/** What a person types there. */
	command: string;
}
