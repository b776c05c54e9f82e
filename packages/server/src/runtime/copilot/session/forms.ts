import type { SessionConfigBase } from "@github/copilot-sdk";
import type { Logger } from "../../../core/kernel/logger.ts";
import type { AskForm } from "../../../core/ports/agent-asks.ts";
import type { OpenSession } from "../../../core/ports/agent-runtime.ts";
import type { Turn } from "../turn/turn.ts";

type Handler = NonNullable<SessionConfigBase["onElicitationRequest"]>;

/** Forms of MCP servers go to a person. Never rejects, and whatever is wrong leaves whoever asks with an answer. */
export function formHandler(deps: {
	options: Pick<OpenSession, "form">;
	/** The running turn, if one runs. */
	turn(): Pick<Turn, "signal" | "waitWhile"> | undefined;
	logger: Logger;
}): Handler {
	return async ({ message, requestedSchema, mode, url, elicitationSource }) => {
		const running = deps.turn();
		// A server that asks by itself, between turns, has nobody before it.
		if (running === undefined) return { action: "cancel" };
		const form: AskForm = {
			message,
			schema: requestedSchema,
			source: elicitationSource ?? "MCP",
			...(mode === "url" ? { url: url ?? "" } : {}),
		};
		try {
			return await running.waitWhile(deps.options.form(form, running.signal));
		} catch (error) {
			deps.logger.error({ err: String(error) }, "Putting a form to a person failed");
			return { action: "cancel" };
		}
	};
}
