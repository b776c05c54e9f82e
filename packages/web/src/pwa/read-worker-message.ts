import * as z from "zod/mini";

/** What the service worker says to a page: open this, or answer whether you show this. */
const schema = z.object({ type: z.enum(["open-conversation", "looking-at"]), conversationId: z.optional(z.string()) });
export type WorkerMessage = z.infer<typeof schema>;

export function readWorkerMessage(data: unknown): WorkerMessage | undefined {
	const parsed = schema.safeParse(data);
	return parsed.success ? parsed.data : undefined;
}
