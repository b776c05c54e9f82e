import * as z from "zod/mini";
import { queueItemSchema } from "../model/queue.ts";
import { event } from "./event-frame.ts";

/** The prompts that wait. */
export const queueEvents = [event("copilot:queue", { items: z.array(queueItemSchema) })] as const;
