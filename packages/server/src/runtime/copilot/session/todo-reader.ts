import type { CopilotSession } from "@github/copilot-sdk";
import { type Todo, todoSchema } from "@rightseat/protocol/model/todo";
import type { Cancel, Clock } from "../../../core/kernel/clock.ts";
import type { Logger } from "../../../core/kernel/logger.ts";
import { withTimeout } from "../../../core/kernel/with-timeout.ts";
import { runtimeErrors } from "../process/runtime-errors.ts";

/** The list is read at most this often while it keeps changing. */
export const TODO_PACE_MS = 250;

const READ_LIMIT_MS = 10_000;

type PlanRpc = Pick<CopilotSession["rpc"]["plan"], "readSqlTodosWithDependencies">;
type Rows = Awaited<ReturnType<PlanRpc["readSqlTodosWithDependencies"]>>["rows"];

/** Reads the agent's to-do list when the runtime says that it changed: at once, and while it keeps changing now and then, the last time too. */
export interface TodoReader {
	changed(): void;
	close(): void;
}

export function createTodoReader(deps: {
	attach(): Promise<{ sdk: { rpc: { plan: PlanRpc } }; gone: AbortSignal }>;
	onTodos(items: Todo[]): void;
	clock: Clock;
	logger: Logger;
}): TodoReader {
	let state: "resting" | "paced" | "changed" | "closed" = "resting";
	let cancel: Cancel = () => undefined;

	async function read(): Promise<void> {
		state = "paced";
		try {
			const { sdk, gone } = await deps.attach();
			const asked = sdk.rpc.plan.readSqlTodosWithDependencies();
			const { rows } = await withTimeout(asked, { clock: deps.clock, ms: READ_LIMIT_MS, late: runtimeErrors.noAnswer, gone });
			if (!isClosed()) deps.onTodos(toTodos(rows));
		} catch (error) {
			// The next change reads it again.
			deps.logger.debug({ err: String(error) }, "The to-do list of an agent could not be read");
		}
		if (!isClosed()) cancel = deps.clock.after(TODO_PACE_MS, rested);
	}
	const isClosed = () => state === "closed";
	function rested(): void {
		if (state === "changed") void read();
		else if (state === "paced") state = "resting";
	}

	return {
		changed() {
			if (state === "resting") void read();
			else if (state === "paced") state = "changed";
		},
		close() {
			state = "closed";
			cancel();
		},
	};
}

/** The model writes these rows itself: what makes no sense is left out, and a state of its own is one that still has to be done. */
function toTodos(rows: Rows): Todo[] {
	return rows.flatMap(({ id, title, description, status }) => {
		const words = title ?? description ?? "";
		if (id === undefined || words === "") return [];
		return { id, title: words, status: todoSchema.shape.status.safeParse(status).data ?? "pending" };
	});
}
