import * as z from "zod/mini";
import { type InboxItem, inboxItemSchema } from "../model/inbox.ts";
import { ownConversationIdSchema, remoteIdOf } from "./ids.ts";

/** Items of one host that others see, and as many that were put off; what needs a person most is among them. */
export const MAX_TOLD_ITEMS = 100;

const itemSchema = z.extend(inboxItemSchema, {
	id: z.string().check(z.regex(/^[\w-]{1,180}$/)),
	conversationId: z.nullable(ownConversationIdSchema),
	scheduleId: z.optional(ownConversationIdSchema),
});
const snoozedSchema = z.extend(itemSchema, { until: z.string() });
const list = z.array(z.unknown()).check(z.maxLength(MAX_TOLD_ITEMS));

/** The inbox of a host as it tells it to the others, item by item: one of a kind that is not known here costs only itself. */
export const hostInboxSchema = z.pipe(
	z.object({ items: list, snoozed: list }),
	z.transform(({ items, snoozed }) => ({ items: readable(itemSchema, items), snoozed: readable(snoozedSchema, snoozed) })),
);
/** What waits on a host, and what somebody put off there. */
export interface HostInbox {
	items: InboxItem[];
	snoozed: (InboxItem & { until: string })[];
}

const readable = <T>(
	schema: { safeParse(value: unknown): { success: true; data: T } | { success: false } },
	values: readonly unknown[],
): T[] =>
	values.flatMap((value) => {
		const parsed = schema.safeParse(value);
		return parsed.success ? [parsed.data] : [];
	});

/** An item of another host as it is called here. */
export const itemToHere = <T extends InboxItem>(host: { id: string; name: string }, item: T): T => ({
	...item,
	id: remoteIdOf(host.id, item.id),
	conversationId: item.conversationId === null ? null : remoteIdOf(host.id, item.conversationId),
	...(item.scheduleId === undefined ? {} : { scheduleId: remoteIdOf(host.id, item.scheduleId) }),
	host,
});
