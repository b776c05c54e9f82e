import * as z from "zod/mini";
import { permissionRequestSchema, planRequestSchema, questionSchema } from "../model/ask.ts";
import { budgetDecisionSchema, budgetRequestSchema } from "../model/budget.ts";
import { formActionSchema, formRequestSchema } from "../model/form.ts";
import { originSchema } from "../model/vocabulary.ts";
import { event } from "./event-frame.ts";

const resolution = { requestId: z.string(), outcome: z.enum(["answered", "expired", "aborted"]), by: z.optional(originSchema) };

/** Questions, permission requests, plans, forms and limits that were reached, and how they were settled. */
export const askEvents = [
	event("copilot:user_input_request", questionSchema.shape),
	event("copilot:user_input_resolved", { ...resolution, answer: z.optional(z.string()) }),
	event("copilot:permission_request", permissionRequestSchema.shape),
	event("copilot:permission_resolved", { ...resolution, decision: z.optional(z.string()), remembered: z.optional(z.boolean()) }),
	event("copilot:plan_request", planRequestSchema.shape),
	event("copilot:plan_resolved", {
		...resolution,
		approved: z.optional(z.boolean()),
		action: z.optional(z.string()),
		feedback: z.optional(z.string()),
		/** As the person changed it before taking it. */
		plan: z.optional(z.string()),
	}),
	event("copilot:budget_request", budgetRequestSchema.shape),
	/** `expired`: the day whose limit it was is over. `limit`: the new one, where it was raised. */
	event("copilot:budget_resolved", { ...resolution, decision: z.optional(budgetDecisionSchema), limit: z.optional(z.number()) }),
	event("copilot:form_request", formRequestSchema.shape),
	/** What was filled in is nobody's but the asker's: it is in no event. */
	event("copilot:form_resolved", { ...resolution, action: z.optional(formActionSchema) }),
] as const;
