import type { Message } from "@rightseat/protocol/model/message";
import { examineAgents } from "./agent-examiner.ts";
import { examineAudit } from "./audit-examiner.ts";
import { examineBrowser } from "./browser-traffic.ts";
import { answersTo, promptsOfChats } from "./chats.ts";
import type { History } from "./history.ts";
import { examineInbox } from "./inbox-examiner.ts";
import { examineProcesses } from "./process-examiner.ts";
import type { World } from "./world.ts";

/** What one round left behind, checked against every promise. Each finding is a sentence; none is good. */
export async function examine(world: World, history: History): Promise<string[]> {
	const findings: string[] = [];
	const page = await (await world.server.api(`/api/conversations/${world.conversationId}/messages?limit=200`)).json();
	const messages: Message[] = page.messages;
	// Queued prompts are listed too, but a page shows them beside the conversation.
	const spoken = messages.filter((message) => message.role !== "user" || message.metadata.delivery !== "queued");
	const stored = await Promise.all(spoken.map((message) => storedLine(world, message)));

	for (const prompt of history.prompts) {
		const acked = world.clients.some((client) => client.acked.has(prompt));
		const copies = messages.filter((message) => message.role === "user" && message.content === prompt).length;
		if (copies === 0 && history.mayBeLost.has(prompt)) continue;
		if (acked && copies !== 1) findings.push(`The acknowledged prompt ${prompt} is stored ${copies} times.`);
		if (!acked && copies > 1) findings.push(`The prompt ${prompt} is stored ${copies} times.`);
	}
	for (const [id, count] of world.ran()) if (count > 1) findings.push(`${id} ran ${count} times.`);
	for (const command of history.commands) {
		const results = messages.filter(
			(message) => message.role === "user" && message.metadata.bash === true && message.content.includes(`echo ${command} `),
		);
		const acked = world.clients.some((client) => client.acked.has(command));
		if (results.length === 0 && history.mayBeLost.has(command)) continue;
		if (acked && results.length !== 1) findings.push(`The acknowledged command ${command} has ${results.length} results.`);
	}
	for (const [index, client] of world.clients.entries()) {
		if (client.view.unfinished !== "")
			findings.push(`Page ${index} still shows an answer that never ended: …${client.view.unfinished.slice(-80)}`);
		for (const ask of client.view.asks) findings.push(`Page ${index} still asks although nothing runs: ${ask}`);
		const difference = firstDifference(client.view.lines.slice(-40), stored.slice(-40));
		if (difference !== undefined) findings.push(`Page ${index} shows other text than is stored: ${difference}`);
	}
	findings.push(...examineAgents(world));
	findings.push(...(await examineBrowser(world.page, messages, history)));
	for (const sign of world.signs())
		if (sign.name.startsWith("unknown frame")) findings.push(`A page got a frame that the protocol does not know: ${sign.name}`);
	findings.push(...(await examineProcesses(world)), ...(await examineInbox(world, messages)), ...(await examineAudit(world, history)));
	const chatPrompts = await promptsOfChats(world);
	for (const marker of history.chats) {
		const copies = chatPrompts.filter((content) => content === marker).length;
		if (copies > 1 || (copies === 0 && !history.mayBeLost.has(marker)))
			findings.push(`The message ${marker} from Telegram is stored ${copies} times.`);
		const answers = answersTo(marker, world.telegram.fromBot(history.chatId));
		if (answers > 1) findings.push(`The chat got the answer to ${marker} ${answers} times.`);
	}
	return findings;
}

/** A message as a page shows it; a very long one is whole on a page that watched it, and its beginning on one that came later. */
interface StoredLine {
	whole: string;
	beginning: string;
}

async function storedLine(world: World, message: Message): Promise<StoredLine> {
	const line = (content: string) => `${message.role === "user" ? "user" : "agent"}: ${content}`;
	const beginning = line(message.content);
	if (message.truncated === undefined) return { whole: beginning, beginning };
	const answer = await world.server.api(`/api/conversations/${world.conversationId}/messages/${message.id}`);
	const whole: { message: Message } = await answer.json();
	return { whole: line(whole.message.content), beginning };
}

/** Where the end of what a page shows is not the end of what is stored. */
export function firstDifference(shown: readonly string[], kept: readonly StoredLine[]): string | undefined {
	const count = Math.min(shown.length, kept.length);
	const [a, b] = [shown.slice(shown.length - count), kept.slice(kept.length - count)];
	const index = a.findIndex((line, at) => line !== b[at]?.whole && line !== b[at]?.beginning);
	if (index < 0) return undefined;
	return `${JSON.stringify(a[index]?.slice(-160))} instead of ${JSON.stringify(b[index]?.whole.slice(-160))} (line ${index} of ${count})`;
}
