import type { Conversation } from "@rightseat/protocol/model/conversation";
import type { PermissionMode } from "@rightseat/protocol/model/vocabulary";
import type { Conversations } from "../../core/conversations/conversations.ts";
import { type ConversationId, conversationId } from "../../core/kernel/ids.ts";
import type { Descent, Lineage } from "./lineage.ts";
import { refuse } from "./refusal.ts";
import type { McpCredential } from "./tokens.ts";

/** A program starts a conversation, and the agent of that one another; no further. */
export const MAX_DEPTH = 2;
/** Turns of one token that run at once; a prompt for one that runs waits in its queue and adds none. */
export const MAX_RUNNING_TURNS = 4;

/** Who makes a call. */
export interface Caller {
	token: McpCredential;
	/** The conversation whose agent it is, as far as it is known; undefined: a program outside. */
	inside: ConversationId | undefined;
}

/** What a caller may do. Throws Refusal; a conversation that it may not see is not there. */
export interface Access {
	see(caller: Caller, id: string): Conversation;
	/** May it send a prompt? Counts one against its budgets. */
	drive(caller: Caller, id: string): Conversation;
	/** May it wait for a turn, or stop it? */
	act(caller: Caller, id: string): Conversation;
	/** What a conversation becomes that it starts. Counts it, and its first prompt, against the caller's budgets. */
	begin(caller: Caller, first: { hasPrompt: boolean }): { descent: Descent; permissions: PermissionMode };
	/** The first prompt of one that was begun is about to run. */
	began(caller: Caller, id: ConversationId): void;
}

export function createAccess(deps: { conversations: Pick<Conversations, "find">; lineage: Lineage }): Access {
	const { conversations, lineage } = deps;
	/** Conversations that were prompted from here, with the owner of the token that did it last. */
	const driven = new Map<ConversationId, string>();

	function see(caller: Caller, id: string): Conversation {
		const found = conversations.find(conversationId(id));
		const isSeen = caller.token.reach === "all" || lineage.find(conversationId(id))?.owner === caller.token.owner;
		return found !== undefined && isSeen
			? found
			: refuse("conversation-not-found", "There is no such conversation, or this token may not see it.");
	}
	/** Where its chain began, and how deep it is. */
	function standing({ token, inside }: Caller): { origin: string; depth: number } {
		if (inside === undefined) return { origin: `token ${token.owner}`, depth: 0 };
		return lineage.find(inside) ?? { origin: `conversation ${inside}`, depth: 0 };
	}
	/** Prompts go down only, so that no chain of agents can close to a ring. */
	function requireBelow(caller: Caller, id: ConversationId) {
		if (caller.inside === undefined) return;
		const { origin, depth } = standing(caller);
		const target = lineage.find(id);
		if (target === undefined || target.origin !== origin || target.depth <= depth)
			refuse("forbidden", "An agent may only act on conversations that it started itself.");
	}
	function requireRoom(caller: Caller, id?: ConversationId) {
		for (const one of [...driven.keys()]) if (conversations.find(one)?.status !== "streaming") driven.delete(one);
		if (id !== undefined && conversations.find(id)?.status === "streaming") return;
		const running = [...driven.values()].filter((owner) => owner === caller.token.owner).length;
		if (running >= MAX_RUNNING_TURNS) refuse("rate-limited", `${MAX_RUNNING_TURNS} turns run already. Wait for one to end: await_turn.`);
	}
	const originsOf = (caller: Caller) => [standing(caller).origin, `token ${caller.token.owner}`];

	return {
		see,
		drive(caller, id) {
			const conversation = see(caller, id);
			const key = conversationId(conversation.id);
			requireBelow(caller, key);
			// A person who let a conversation of this token act by itself meant just that; any other was not meant for it.
			if (conversation.permissions === "auto" && caller.token.permissions === "ask" && lineage.find(key)?.owner !== caller.token.owner)
				refuse(
					"forbidden",
					"This conversation acts without asking, and this token may only prompt those that ask. Start one with start_conversation.",
				);
			requireRoom(caller, key);
			lineage.spend(["prompt"], originsOf(caller));
			driven.set(key, caller.token.owner);
			return conversation;
		},
		act(caller, id) {
			const conversation = see(caller, id);
			requireBelow(caller, conversationId(conversation.id));
			return conversation;
		},
		began: (caller, id) => void driven.set(id, caller.token.owner),
		begin(caller, { hasPrompt }) {
			const { origin, depth } = standing(caller);
			if (depth >= MAX_DEPTH)
				refuse("forbidden", `Agents may start conversations ${MAX_DEPTH} deep, and this one is there. Do the work here.`);
			const isAuto = caller.inside === undefined || conversations.find(caller.inside)?.permissions === "auto";
			requireRoom(caller);
			lineage.spend(hasPrompt ? ["conversation", "prompt"] : ["conversation"], originsOf(caller));
			return {
				descent: { owner: caller.token.owner, origin, depth: depth + 1 },
				permissions: isAuto ? caller.token.permissions : "ask",
			};
		},
	};
}
