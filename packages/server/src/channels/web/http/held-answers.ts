import type { FastifyInstance } from "fastify";
import { AppError } from "../../../core/kernel/errors.ts";
import type { MemoryLedger } from "../../../core/kernel/memory-ledger.ts";

declare module "fastify" {
	interface FastifyContextConfig {
		/** What an answer may have: counted before it is made. */
		answerBytes?: number;
	}
}

/** Smaller answers are gone before anybody could pile them up. */
const COUNTED_FROM_BYTES = 65_536;

/** Large answers of the API count against the one bound while their reader takes them: a client that asks and does not read is refused at the bound. */
export function countHeldAnswers(app: FastifyInstance, memory: MemoryLedger): void {
	const account = memory.account("answers");
	/** By request. */
	const held = new WeakMap<object, number>();

	function hold(request: object, bytes: number): void {
		const before = held.get(request) ?? 0;
		if (bytes > before && !account.reserve(bytes - before))
			throw new AppError("rate-limited", "There is no memory for this answer now. Try again in a moment.", {
				params: { reason: "memory" },
			});
		if (bytes < before) account.add(bytes - before);
		held.set(request, bytes);
	}

	app.addHook("onRequest", async (request, reply) => {
		// In any case, however it ends.
		reply.raw.once("close", () => hold(request, 0));
		hold(request, request.routeOptions.config.answerBytes ?? 0);
	});
	app.addHook("onSend", async (request, reply, payload) => {
		if (!request.url.startsWith("/api/")) return payload;
		const bytes = typeof payload === "string" || Buffer.isBuffer(payload) ? Buffer.byteLength(payload) : 0;
		const type = reply.getHeader("content-type");
		// The refusal, if it comes to that, is of another type.
		reply.removeHeader("content-type");
		hold(request, bytes < COUNTED_FROM_BYTES ? 0 : bytes);
		if (type !== undefined) reply.header("content-type", type);
		return payload;
	});
}
