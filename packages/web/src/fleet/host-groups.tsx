import type { HostView } from "@rightseat/protocol/http/fleet";
import type { Conversation } from "@rightseat/protocol/model/conversation";
import { groupByHost } from "./group-by-host.ts";
import { HostTitle } from "./host-title.tsx";

/** The list of conversations by host; its code comes only where there is more than one. */
export const hostGroups = (conversations: readonly Conversation[], hosts: readonly HostView[]) =>
	groupByHost(conversations, hosts).map((group) => ({ title: <HostTitle host={group.host} />, conversations: group.conversations }));
