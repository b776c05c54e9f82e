import * as z from "zod/mini";
import { rememberedRuleSchema } from "../model/remembered-rule.ts";
import { DONE, type HttpRoute, ok } from "./route.ts";

/** A rule of a folder. */
const keptRule = z.object({ id: z.string(), ...z.omit(rememberedRuleSchema, { folder: true }).shape, createdAt: z.string() });
/** What is allowed for good, folder by folder. */
export const permissionRulesAnswer = z.object({ folders: z.array(z.object({ path: z.string(), rules: z.array(keptRule) })) });
/** What is allowed for good, folder by folder. */
export type PermissionRules = z.infer<typeof permissionRulesAnswer>;

/** Routes about permissions that are remembered. */
export const permissionRoutes: HttpRoute[] = [
	{ method: "GET", path: "/api/permissions", about: "What people allowed for good, by folder.", answers: ok(permissionRulesAnswer) },
	{
		method: "DELETE",
		path: "/api/permissions/:id",
		about: "Take back something that was allowed for good.",
		answers: DONE,
		refusals: [404],
	},
];
