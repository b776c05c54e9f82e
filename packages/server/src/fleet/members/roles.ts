import type { ClientFrameType } from "@rightseat/protocol/frames/client";
import type { Role } from "./statement.ts";

/** What hosts ask of each other beside the frames of `/ws`. */
export const FLEET_REQUESTS = [
	...["fleet:hello", "fleet:read", "fleet:messages", "fleet:search", "fleet:models", "fleet:export"],
	...["fleet:attachment", "fleet:files", "fleet:directories", "fleet:look", "fleet:work", "fleet:create", "fleet:patch", "fleet:delete"],
	...["fleet:part", "fleet:state", "fleet:terminal", "fleet:inbox", "fleet:looked", "fleet:list", "fleet:schedule"],
] as const;
export type FleetRequest = (typeof FLEET_REQUESTS)[number];

const WATCH: readonly (ClientFrameType | FleetRequest)[] = [
	...(["ping", "copilot:subscribe", "copilot:unsubscribe", "copilot:status", "bash:jobs", "bash:job_output"] as const),
	...([
		"fleet:hello",
		"fleet:read",
		"fleet:messages",
		"fleet:search",
		"fleet:models",
		"fleet:export",
		"fleet:part",
		"fleet:state",
		"fleet:list",
	] as const),
];
const TALK: readonly (ClientFrameType | FleetRequest)[] = [
	...(["copilot:send", "copilot:abort", "copilot:subagent_stop", "copilot:user_input_response", "fleet:attachment"] as const),
	...(["fleet:inbox", "fleet:looked"] as const),
	...(["copilot:queue_edit", "copilot:queue_move", "copilot:queue_drop", "copilot:queue_send_now"] as const),
];

const NEEDED: ReadonlyMap<string, Role> = new Map<string, Role>([
	...WATCH.map((type) => [type, "watch"] as const),
	...TALK.map((type) => [type, "talk"] as const),
]);

/** The least role that may ask for this. Whatever is not known here needs everything. */
export const roleFor = (type: string): Role => NEEDED.get(type) ?? "full";

/** Asked twice they are done once, also after a restart: their own ids are kept in the store. */
const KEPT_IDS: ReadonlySet<string> = new Set<ClientFrameType | FleetRequest>([
	...([
		"copilot:send",
		"bash:exec",
		"copilot:user_input_response",
		"copilot:permission_response",
		"copilot:plan_response",
		"fleet:create",
	] as const),
]);

const READS: ReadonlySet<string> = new Set<string>([...WATCH, "fleet:files", "fleet:directories", "fleet:look", "fleet:terminal"]);

/** Changes nothing, so that doing it twice is no harm and nothing has to be remembered. */
export const isRead = (type: string): boolean => READS.has(type);

/** May only the run of the server that it was meant for do this? True for whatever changes something and is not remembered on disk. */
export const needsInstance = (type: string): boolean => !KEPT_IDS.has(type) && !isRead(type);
