import type { Clock } from "../../../core/kernel/clock.ts";
import type { PermitRequest } from "../../../core/ports/agent-runtime.ts";
import { callerOf, type Team } from "./team.ts";

type Caller = Pick<PermitRequest, "agentId" | "agentName">;

/** Says who asks for a permission. The request may overtake the event that names the sub-agent, so whoever shows it waits a moment. */
export interface Callers {
	of(toolCallId: string | undefined): Caller & Pick<PermitRequest, "asker">;
	/** The team has heard something. */
	look(): void;
	/** Nothing more will be heard. */
	close(): void;
}

export function createCallers(deps: { clock: Clock; team(): Team; graceMs: number }): Callers {
	const waiting = new Set<() => void>();

	function hear(toolCallId: string): Promise<Caller> {
		return new Promise((resolve) => {
			const settle = (caller: Caller) => {
				waiting.delete(look);
				cancel();
				resolve(caller);
			};
			const look = () => {
				const caller = closed ? {} : callerOf(deps.team(), toolCallId);
				if (caller !== undefined) settle(caller);
			};
			const cancel = deps.clock.after(deps.graceMs, () => settle({}));
			waiting.add(look);
			look();
		});
	}
	let closed = false;
	const look = () => {
		for (const check of [...waiting]) check();
	};
	return {
		of(toolCallId) {
			if (toolCallId === undefined) return {};
			return callerOf(deps.team(), toolCallId) ?? { asker: () => hear(toolCallId) };
		},
		look,
		close() {
			closed = true;
			look();
		},
	};
}
