import * as z from "zod/mini";

/** What a program behind the agent, such as an MCP server, wants to know of a person. */
export const formRequestSchema = z.object({
	requestId: z.string(),
	/** Why it asks, in its own words. */
	message: z.string(),
	/** A JSON Schema of one flat object, as `form/read-form.ts` takes it; without fields it is a yes or a no. */
	schema: z.record(z.string(), z.unknown()),
	/** Who asks: the name of the MCP server. */
	source: z.string(),
	/** A page to be opened by the person, deliberately; there are no fields then. */
	url: z.optional(z.string()),
	expiresAt: z.string(),
});
/** A form that waits for a person. */
export type FormRequest = z.infer<typeof formRequestSchema>;

/** `accept`: with what was filled in. `decline`: the person does not want to. `cancel`: the person did not decide. */
export const formActionSchema = z.enum(["accept", "decline", "cancel"]);
/** What a person does with a form. */
export type FormAction = z.infer<typeof formActionSchema>;
