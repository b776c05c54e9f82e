import type { HostView } from "@rightseat/protocol/http/fleet";
import type { Conversation } from "@rightseat/protocol/model/conversation";

export interface HostGroup {
	host: HostView;
	conversations: Conversation[];
}

/** Conversations by host, this one first; in each pinned ones first, then the newest. What no known host has belongs to this one. */
export function groupByHost(conversations: readonly Conversation[], hosts: readonly HostView[]): HostGroup[] {
	const known = new Set(hosts.map(({ id }) => id));
	const sorted = conversations.toSorted(
		(a, b) => Number(b.pinned) - Number(a.pinned) || Date.parse(b.updatedAt) - Date.parse(a.updatedAt) || (a.id < b.id ? 1 : -1),
	);
	return hosts
		.map((host) => ({
			host,
			conversations: sorted.filter((each) => (each.host !== undefined && known.has(each.host.id) ? each.host.id === host.id : host.self)),
		}))
		.filter((group) => group.conversations.length > 0);
}
