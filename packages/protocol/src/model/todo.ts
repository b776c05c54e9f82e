import * as z from "zod/mini";

/** One thing that the agent means to do. */
export const todoSchema = z.object({
	id: z.string(),
	title: z.string(),
	status: z.enum(["pending", "in_progress", "done", "blocked"]),
});
/** An item of the agent's to-do list. */
export type Todo = z.infer<typeof todoSchema>;

/** What the agent means to do; `more`: so many are left out. */
export const todoListSchema = z.object({ items: z.array(todoSchema), more: z.optional(z.number()) });
/** The agent's to-do list, as far as it is told. */
export type TodoList = z.infer<typeof todoListSchema>;
