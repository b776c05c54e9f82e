import { splitRemoteId } from "@rightseat/protocol/fleet/ids";
import type { FleetHost } from "../../../core/ports/fleet.ts";
import type { ChatBindings } from "./chat-bindings.ts";
import type { ChatSessions } from "./chat-sessions.ts";
import type { Speaker } from "./speaker.ts";

/** The hosts of the fleet, as the bot needs them. */
export interface BotHosts {
	list(): FleetHost[];
	onChange(listener: () => void): () => void;
}

/** Tells a chat that the host of what it waits for has gone: nothing else would move there any more. Once, until that host is back. */
export function tellOfHosts(
	hosts: BotHosts,
	deps: { sessions: Pick<ChatSessions, "all">; bindings: Pick<ChatBindings, "find">; speaker: Speaker },
): () => void {
	const awayNow = () => new Map(hosts.list().flatMap(({ id, name, state }) => (state === "offline" ? [[id, name] as const] : [])));
	let away = awayNow();
	return hosts.onChange(() => {
		const before = away;
		away = awayNow();
		for (const { thread, entry } of deps.sessions.all()) {
			const host = splitRemoteId(entry.conversationId)?.host ?? "";
			const name = before.has(host) ? undefined : away.get(host);
			const view = deps.bindings.find(thread)?.view;
			if (name === undefined || view === undefined || (!view.isRunning() && !view.isAsking())) continue;
			deps.speaker.say(thread, deps.speaker.words(thread).hostWentAway(name));
		}
	});
}
