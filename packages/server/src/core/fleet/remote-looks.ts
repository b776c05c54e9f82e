import { splitRemoteId } from "@rightseat/protocol/fleet/ids";
import type { FleetLooked } from "@rightseat/protocol/fleet/requests";
import type { Cancel, Clock } from "../kernel/clock.ts";
import type { ConversationId, MessageId } from "../kernel/ids.ts";
import type { Screens } from "./host-screens.ts";
import { type RemoteCalls, SOMEBODY } from "./remote-calls.ts";

/** That a page still shows a conversation is said so often; a host that heard nothing for longer counts it as gone. */
const TELL_MS = 60_000;

/** Tells other hosts which of their conversations somebody here has before their eyes. */
export interface RemoteLooks {
	/** A page shows it, and says so; or this answer of it is in somebody's chat. Never throws. */
	looked(id: ConversationId, answer?: MessageId): void;
	close(): void;
}

export function createRemoteLooks(deps: {
	calls: Pick<RemoteCalls, "ask">;
	screens: Pick<Screens, "watched" | "onChange">;
	clock: Clock;
}): RemoteLooks {
	const shown = new Set<ConversationId>();
	let cancel: Cancel | undefined;
	function tell(id: ConversationId, data: FleetLooked): void {
		const place = splitRemoteId(id);
		// What a host that is away does not hear is still in its inbox when it is back, and said again.
		if (place !== undefined) deps.calls.ask(place, { type: "fleet:looked", data: { ...data } }, SOMEBODY).catch(() => undefined);
	}
	function tellAgain(): void {
		cancel?.();
		cancel = shown.size === 0 ? undefined : deps.clock.after(TELL_MS, again);
	}
	function again(): void {
		for (const id of shown) tell(id, { isShown: true, isAgain: true });
		tellAgain();
	}
	const stop = deps.screens.onChange((id, isShown) => {
		if (isShown || deps.screens.watched(id) || !shown.delete(id)) return;
		tell(id, { isShown: false });
		tellAgain();
	});
	return {
		looked(id, answer) {
			if (answer !== undefined) return tell(id, { messageId: answer });
			tell(id, { isShown: true });
			if (!deps.screens.watched(id)) return;
			shown.add(id);
			tellAgain();
		},
		close() {
			stop();
			cancel?.();
		},
	};
}
