import { fieldOf } from "@rightseat/protocol/model/field";
import type { CallResult } from "./bot-client.ts";

/** The id that Telegram gave a message; undefined when the call did not succeed. */
export function sentMessageId(result: CallResult<unknown>): number | undefined {
	const id = result.kind === "ok" ? fieldOf(result.result, "message_id") : undefined;
	return typeof id === "number" ? id : undefined;
}
