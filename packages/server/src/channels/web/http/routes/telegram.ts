import type { IncomingMessage } from "node:http";
import { linkBody, pairingBody } from "@rightseat/protocol/http/requests";
import type { FastifyInstance } from "fastify";
import * as z from "zod/mini";
import type { EveryConversations } from "../../../../core/conversations/conversations.ts";
import { AppError } from "../../../../core/kernel/errors.ts";
import { type ConversationId, conversationId } from "../../../../core/kernel/ids.ts";
import type { AuditLog } from "../../../../core/ports/audit.ts";

/** What the page can see and do about Telegram. */
export interface TelegramAccess {
	/** Health of the bot, for people. */
	status(): unknown;
	/** Called when that changes. */
	onStatus?(listener: () => void): () => void;
	/** A chat that can be reached shows this conversation, and rings when something in it waits. */
	rings?(id: ConversationId): boolean;
	/** Whether strangers may ask to be let in. */
	isPairing(): boolean;
	/** Strangers who asked to be let in, without their codes: a person types the one that the bot gave them. */
	pending(): readonly object[];
	/** Lets the person with this code in; undefined when it is unknown or too old. */
	confirm(code: string): { name: string } | undefined;
	people(): readonly TelegramPerson[];
	revoke(userId: number): boolean;
	/** A code that moves a chat to this conversation when it is sent as `/link CODE`. */
	linkCode(id: ConversationId): string;
}

export interface TelegramPerson {
	userId: number;
	name: string;
	/** Named in the configuration: only that can take them away. */
	fixed: boolean;
}

/** Pairing with Telegram. */
export function registerTelegramRoutes(
	app: FastifyInstance,
	deps: {
		telegram: TelegramAccess | undefined;
		conversations: Pick<EveryConversations, "get">;
		audit: AuditLog;
		sourceOf(request: { raw: IncomingMessage }): string;
	},
) {
	const get = () => {
		if (deps.telegram === undefined)
			throw new AppError("not-found", "Telegram is off. Set TELEGRAM_BOT_TOKEN and restart.", { params: { reason: "telegram-off" } });
		return deps.telegram;
	};
	app.get("/api/telegram", async () => {
		const { telegram } = deps;
		if (telegram === undefined) return { enabled: false, pairing: false, pending: [], people: [] };
		const { status, isPairing, pending, people } = telegram;
		return { enabled: true, status: status(), pairing: isPairing(), pending: pending(), people: people() };
	});

	app.post("/api/telegram/pairings", async (request) => {
		const { code } = pairingBody.parse(request.body);
		const person = get().confirm(code);
		if (person === undefined)
			throw new AppError(
				"not-found",
				"This code is wrong or too old. Compare it with the bot's message, or write to the bot after fifteen minutes for a new one.",
				{ params: { reason: "pairing-code" } },
			);
		deps.audit.record({ kind: "telegram", source: deps.sourceOf(request), detail: `paired ${person.name}` });
		return { person };
	});

	app.post("/api/telegram/links", async (request, reply) => {
		const { conversationId: id } = linkBody.parse(request.body);
		const conversation = deps.conversations.get(conversationId(id));
		return reply.code(201).send({ code: get().linkCode(conversationId(conversation.id)) });
	});

	app.delete("/api/telegram/people/:userId", async (request, reply) => {
		const { userId } = personParams.parse(request.params);
		const name = get()
			.people()
			.find((person) => person.userId === userId)?.name;
		if (!get().revoke(userId))
			throw new AppError("not-found", "This person is not paired, or is named in the configuration.", { params: { reason: "person" } });
		deps.audit.record({
			kind: "telegram",
			source: deps.sourceOf(request),
			detail: name === undefined ? `removed ${userId}` : `removed ${name} (${userId})`,
		});
		return reply.code(204).send();
	});
}

const personParams = z.object({ userId: z.pipe(z.string().check(z.regex(/^\d{1,15}$/)), z.transform(Number)) });
