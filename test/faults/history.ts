import type { ResilientClient } from "./resilient-client.ts";

export const ANN = { id: 1001, name: "Ann" };
/** Allowed as well; one fault takes that away. */
export const CAT = { id: 3003, name: "Cat" };
/** As TELEGRAM_ALLOWED_USERS says it. */
export const ALLOWED = `${ANN.id},${CAT.id}`;

/** What was sent in a round; prompts and commands are their own client ids. */
export interface History {
	prompts: string[];
	commands: string[];
	chats: string[];
	chatId: number;
	/** Younger than the backup that was put back: these may be gone. */
	mayBeLost: Set<string>;
}

export const emptyHistory = (): History => ({ prompts: [], commands: [], chats: [], chatId: ANN.id, mayBeLost: new Set() });

/** What sending needs of the world. */
interface Senders {
	history: History;
	clients: ResilientClient[];
	conversationId: string;
}

export function sendPrompt(world: Senders, prompt: string, client: ResilientClient | undefined = world.clients[1]): void {
	world.history.prompts.push(prompt);
	client?.send({ type: "copilot:send", data: { conversationId: world.conversationId, prompt, clientMessageId: prompt } });
}

/** Runs `rest` after noting that it ran. */
export function sendCommand(world: Senders, id: string, rest: string, client: ResilientClient | undefined = world.clients[1]): void {
	world.history.commands.push(id);
	const command = `echo ${id} >> ran.log; ${rest}`;
	client?.send({ type: "bash:exec", data: { conversationId: world.conversationId, command, clientMessageId: id } });
}
