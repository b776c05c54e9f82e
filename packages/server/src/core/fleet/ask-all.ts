import { remoteIdOf } from "@rightseat/protocol/fleet/ids";
import type { FleetHttp } from "@rightseat/protocol/fleet/requests";
import type { Schedule } from "@rightseat/protocol/http/schedules";
import type { UsageRow } from "@rightseat/protocol/http/usage";
import type { Fleet, FleetHost } from "../ports/fleet.ts";
import { type RemoteCalls, readWith, SOMEBODY } from "./remote-calls.ts";

/** Asks every other host the same. One that is away or does not answer is named, and costs the others nothing. */
export type AskAll = <T>(
	request: FleetHttp,
	schema: { safeParse(value: unknown): { success: true; data: T } | { success: false } },
) => Promise<{ found: { host: FleetHost; answer: T }[]; missing: FleetHost[] }>;

export function createAskAll({ fleet, calls }: { fleet: Pick<Fleet, "hosts">; calls: Pick<RemoteCalls, "json"> }): AskAll {
	return async (request, schema) => {
		const others = fleet.hosts().filter(({ self }) => !self);
		const answers = await Promise.all(
			others.map(async (host) => {
				if (host.state === "offline") return undefined;
				const value = await calls.json({ host: host.id }, request, SOMEBODY).catch(() => undefined);
				return value === undefined ? undefined : { host, value };
			}),
		);
		const found = answers.flatMap((each) => {
			if (each === undefined) return [];
			try {
				return [{ host: each.host, answer: readWith(schema, each.value) }];
			} catch {
				return [];
			}
		});
		return { found, missing: others.filter(({ id }) => !found.some(({ host }) => host.id === id)) };
	};
}

/** Which hosts an answer leaves out, if any. */
export const missingHosts = (missing: readonly FleetHost[]) =>
	missing.length === 0 ? {} : { missing: missing.map(({ id, name }) => ({ id, name })) };

/** A schedule of another host as it is called here. */
export function scheduleToHere({ id: host, name }: Pick<FleetHost, "id" | "name">, schedule: Schedule): Schedule {
	const { conversationId, lastResult } = schedule;
	const last = lastResult?.conversationId;
	return {
		...schedule,
		id: remoteIdOf(host, schedule.id),
		...(conversationId === undefined ? {} : { conversationId: remoteIdOf(host, conversationId) }),
		...(lastResult === undefined
			? {}
			: { lastResult: { ...lastResult, ...(last === undefined ? {} : { conversationId: remoteIdOf(host, last) }) } }),
		host: { id: host, name },
	};
}

/** What all hosts used, row by row: days in their order, everything else with the most tokens first. */
export function sumUsage(all: readonly (readonly UsageRow[])[], by: string): UsageRow[] {
	const rows = new Map<string, UsageRow>();
	for (const row of all.flat()) {
		const before = rows.get(row.key);
		const cost = before?.cost === undefined && row.cost === undefined ? {} : { cost: (before?.cost ?? 0) + (row.cost ?? 0) };
		const tokens = {
			inputTokens: (before?.inputTokens ?? 0) + row.inputTokens,
			outputTokens: (before?.outputTokens ?? 0) + row.outputTokens,
		};
		rows.set(row.key, { ...row, ...tokens, ...cost });
	}
	const tokensOf = ({ inputTokens, outputTokens }: UsageRow) => inputTokens + outputTokens;
	return [...rows.values()].toSorted((a, b) => (by === "day" ? (a.key < b.key ? -1 : 1) : tokensOf(b) - tokensOf(a)));
}
