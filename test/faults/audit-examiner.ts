import { auditAnswer } from "@rightseat/protocol/http/app";
import type { History } from "./history.ts";
import type { World } from "./world.ts";

/** More than a round's people do. */
const LOOKED_AT = 200;
/** Entries that wait while the disk refuses are tried again every second. */
const WRITE_LIMIT_MS = 5_000;

export interface AuditFacts {
	/** What people ran, as the audit log has it. */
	commands: readonly string[];
	/** What was sent, whether the server has acknowledged it, and whether it may be gone with what was younger than a backup. */
	sent: readonly { id: string; isAcked: boolean; mayBeLost: boolean }[];
	ran: ReadonlyMap<string, number>;
}

/** Whether the audit log has every command that a person ran, once. Each finding is a sentence; none is good. */
export function auditFindings({ commands, sent, ran }: AuditFacts): string[] {
	return sent.flatMap(({ id, isAcked, mayBeLost }) => {
		const entries = commands.filter((command) => command.includes(`echo ${id} `)).length;
		if (entries > 1) return [`The audit log has the command ${id} ${entries} times.`];
		if (entries === 1 || mayBeLost || !(isAcked || ran.has(id))) return [];
		return [`The audit log does not have the command ${id}, which ${ran.has(id) ? "ran" : "was acknowledged"}.`];
	});
}

/** The same of a world, as soon as it is so. */
export async function examineAudit(world: World, { commands, mayBeLost }: History): Promise<string[]> {
	const limit = Date.now() + WRITE_LIMIT_MS;
	const sent = commands.map((id) => ({ id, isAcked: world.clients.some(({ acked }) => acked.has(id)), mayBeLost: mayBeLost.has(id) }));
	for (;;) {
		const { entries } = auditAnswer.parse(await (await world.server.api(`/api/audit?limit=${LOOKED_AT}`)).json());
		const found = entries.flatMap(({ kind, detail }) => (kind === "command" ? detail : []));
		const findings = auditFindings({ commands: found, sent, ran: world.ran() });
		if (findings.length === 0 || Date.now() > limit) return findings;
	}
}
