import { type ConversationState, emptyState, foldConversation, fromSnapshot } from "@rightseat/protocol/fold/conversation";
import { isLogged, type ServerFrame } from "@rightseat/protocol/frames/server";

/** What a page would show of one conversation: the fold that every reader uses, a line for each message. */
export interface PageView {
	readonly lines: string[];
	readonly waiting: string[];
	/** Text of an answer that has not ended. */
	readonly unfinished: string;
	/** What waits for a person: questions, permissions, plans, limits and forms, in words. */
	readonly asks: string[];
	/** The ids of the permissions among them. */
	readonly permissionIds: string[];
	readonly position: { epoch?: string; lastSeq?: number };
	/** False when the frame does not follow what is shown: the page must ask again. */
	apply(frame: ServerFrame): boolean;
}

export function createPageView(): PageView {
	let state: ConversationState = emptyState();
	let position: { epoch?: string; lastSeq?: number } = {};

	return {
		get lines() {
			return state.messages.map((message) => `${message.role === "user" ? "user" : "agent"}: ${message.content}`);
		},
		get waiting() {
			return state.queue.map((item) => item.content);
		},
		get unfinished() {
			return (state.turn?.parts ?? []).flatMap((part) => (part.kind === "text" ? [part.content] : [])).join("");
		},
		get asks() {
			const { questions, permissions, plans, budgets, forms } = state;
			return [
				...questions.map(({ question }) => question),
				...permissions.map(({ summary }) => summary),
				...plans.map(({ summary }) => `the plan ${summary}`),
				...budgets.map(({ limit, unit }) => `the limit of ${limit} ${unit}`),
				...forms.map(({ message }) => `the form ${message}`),
			];
		},
		get permissionIds() {
			return state.permissions.map(({ requestId }) => requestId);
		},
		get position() {
			return position;
		},
		apply(frame) {
			if (frame.type === "copilot:snapshot") {
				state = fromSnapshot(frame.data);
				position = { epoch: frame.data.epoch, lastSeq: frame.data.seq };
				return true;
			}
			if (!isLogged(frame)) return true;
			const { epoch, seq } = frame.data;
			if (epoch === position.epoch && seq <= (position.lastSeq ?? 0)) return true;
			if (epoch !== position.epoch || seq !== (position.lastSeq ?? 0) + 1) return false;
			position = { epoch, lastSeq: seq };
			state = foldConversation(state, frame);
			return true;
		},
	};
}
