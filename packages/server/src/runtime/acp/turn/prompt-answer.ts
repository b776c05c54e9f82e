import * as z from "zod/mini";
import { fieldsOf } from "../fields.ts";
import { readTokens, type Tokens } from "./updates.ts";

const answerSchema = z.object({ stopReason: z.string() });

/** The answer to `session/prompt`; undefined when it is none. A reason that nobody knows is an end like any other. */
export function readAnswer(raw: unknown): { stopReason: string; tokens: Tokens | null | undefined } | undefined {
	const answer = answerSchema.safeParse(raw);
	if (!answer.success) return undefined;
	const { usage, _meta } = fieldsOf(raw);
	const quota = fieldsOf(fieldsOf(_meta).quota);
	const tokens = usage === null ? null : (readTokens(usage) ?? readTokens(quota.token_count) ?? readTokens(quota));
	return { stopReason: answer.data.stopReason, tokens };
}
