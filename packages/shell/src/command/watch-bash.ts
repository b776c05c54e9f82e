import type { RunRequest } from "../daemon/shelld-protocol.ts";
import type { BashProcess } from "../process/launch.ts";
import type { CommandInput } from "./command-state.ts";

/** Tells what bash does and which of its deadlines passes. The result stops both deadlines. */
export function watchBash(
	bash: BashProcess,
	{ timeoutMs, onTimeout, enterLimitMs }: Pick<RunRequest, "timeoutMs" | "onTimeout"> & { enterLimitMs: number },
	tell: (input: CommandInput) => void,
): () => void {
	bash.onClose(() => tell({ kind: "close" }));
	bash.onExit((code, signal) => tell({ kind: "exit", exit: { code, signal } }));
	const timeout = timeoutMs === null ? undefined : setTimeout(() => tell({ kind: "timeout", onTimeout }), timeoutMs);
	const enter = setTimeout(() => {
		if (bash.entered() === undefined) tell({ kind: "unreachable" });
	}, enterLimitMs);
	return () => {
		clearTimeout(timeout);
		clearTimeout(enter);
	};
}
