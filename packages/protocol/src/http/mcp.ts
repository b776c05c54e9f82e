import * as z from "zod/mini";
import { permissionModeSchema } from "../model/vocabulary.ts";

/** The tokens with which other programs come to `/mcp`. */

/** `own`: only conversations that this token started. `all`: every one, as far as a program may. */
export const mcpReachSchema = z.enum(["own", "all"]);

/** A token without its secret. */
export const mcpTokenSchema = z.object({
	id: z.string(),
	name: z.string(),
	/** Of the conversations that it starts. */
	permissions: permissionModeSchema,
	reach: mcpReachSchema,
	createdAt: z.string(),
	lastUsedAt: z.nullable(z.string()),
});
/** A token as the settings show it. */
export type McpToken = z.infer<typeof mcpTokenSchema>;

/** Which token to make. */
export const newMcpTokenBody = z.object({
	name: z.string().check(z.trim(), z.minLength(1), z.maxLength(60)),
	permissions: z._default(permissionModeSchema, "ask"),
	reach: z._default(mcpReachSchema, "own"),
	/** Ends with the server, with the access token that made it, or a day after its last use; not listed. For `rightseat mcp`. */
	temporary: z._default(z.boolean(), false),
});
/** Which token to make, with everything that has a default. */
export type NewMcpToken = z.infer<typeof newMcpTokenBody>;

/** Every token that is kept. */
export const mcpTokensAnswer = z.object({ tokens: z.array(mcpTokenSchema) });
/** The only time that the secret is told. */
export const newMcpTokenAnswer = z.object({ token: mcpTokenSchema, secret: z.string() });
