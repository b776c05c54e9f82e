import { firstProblem, sayWrongShape } from "@rightseat/protocol/sentences/wrong-shape";
import type * as z from "zod/mini";
import type { ToolResult } from "../../core/ports/agent-tool.ts";

/** Checks a tool's arguments; what is wrong is said in a way that the model can correct. */
export function parseArguments<T>(
	tool: string,
	schema: z.ZodMiniType<T>,
	args: unknown,
): { ok: true; value: T } | { ok: false; result: ToolResult } {
	const parsed = schema.safeParse(withoutNulls(args ?? {}));
	if (parsed.success) return { ok: true, value: parsed.data };
	const problems = parsed.error.issues.slice(0, 5).map((issue) => sayWrongShape(firstProblem([issue])));
	return { ok: false, result: { ok: false, text: `${tool} was called with wrong arguments. ${problems.join(" ")}`.toWellFormed() } };
}

/** Models that have to name every argument write null for one that they leave out. */
function withoutNulls(args: unknown): unknown {
	if (typeof args !== "object" || args === null || Array.isArray(args)) return args;
	return Object.fromEntries(Object.entries(args).filter(([, value]) => value !== null));
}
