import { setTimeout as wait } from "node:timers/promises";
import { CliError, EXIT } from "@rightseat/cli/cli-error";
import { safeLine } from "@rightseat/cli/terminal/safe-text";
import { createFleetHome } from "../../fleet/home/fleet-home.ts";
import { cardKey, readCard } from "../../fleet/hosts/entries.ts";
import { RENEW_MS } from "../../fleet/lease/lease.ts";
import { removeHost } from "../../fleet/roster/found-fleet.ts";
import { buckets } from "../../fleet/subjects.ts";
import { setInConfigFile } from "./config-file.ts";
import type { FleetRun } from "./fleet-command.ts";
import { asMember, type Member, withEngine } from "./open-engine.ts";

/** A host that is there renews its entry in this time, also on a busy machine. */
const RENEWED_WITHIN_MS = RENEW_MS + 1_000;

/** `rightseat fleet status` */
export async function status(run: FleetRun): Promise<number> {
	const { words, cli } = run;
	return await asMemberOf(run, async (member, url) => {
		const { identity, courier } = member;
		const engine = courier.status();
		cli.print(words.status.fleet(identity.fleet, identity.keys.host, safeLine(identity.name)));
		cli.print(words.status.engine(url, engine.kind === "connected" ? engine.version : "?"));
		const before = await renewals(member);
		await wait(RENEWED_WITHIN_MS);
		const after = await renewals(member);
		for (const { host, role } of member.roster.members.list()) {
			const card = await cardOf(member, host);
			const isOnline = after.get(host) !== before.get(host);
			const state = isOnline ? words.status.online : words.status.offline;
			const self = host === identity.keys.host ? ` ${words.status.self}` : "";
			cli.print(
				`  ${state.padEnd(8)} ${host} ${role.padEnd(5)} ${safeLine(card?.name ?? words.status.unnamed)} ${card?.version ?? ""}${self}`.trimEnd(),
			);
		}
		return EXIT.done;
	});
}

/** `rightseat fleet remove HOST` */
export async function remove(run: FleetRun): Promise<number> {
	const { words, cli, argument } = run;
	if (argument === undefined) throw new CliError(words.noHost);
	return await asMemberOf(run, async (member) => {
		const named = await Promise.all(
			member.roster.members.list().map(async ({ host }) => ({ host, name: (await cardOf(member, host))?.name ?? host })),
		);
		const found = named.filter(({ host, name }) => host === argument || name === argument);
		const [only] = found;
		if (only === undefined) throw new CliError(words.unknownHost(safeLine(argument)), EXIT.failed);
		if (found.length > 1) throw new CliError(words.ambiguous(safeLine(argument)), EXIT.failed);
		await removeHost(member.roster, only.host);
		cli.print(words.removed(safeLine(only.name)));
		return EXIT.done;
	});
}

/** `rightseat fleet leave` */
export async function leave(run: FleetRun): Promise<number> {
	const { words, cli } = run;
	const home = createFleetHome(run.home);
	if (!run.isHere) {
		await asMemberOf(run, async ({ roster, identity }) => {
			await roster.say({ kind: "remove", host: identity.keys.host });
			return EXIT.done;
		});
	}
	await home.leave();
	cli.print(run.isHere ? words.leftHere : words.left);
	setInConfigFile(run.home, { fleetUrl: undefined, fleetCreds: undefined, fleetCa: undefined });
	if (run.configured() !== undefined) cli.print(words.removeSetting("RIGHTSEAT_FLEET_URL"));
	return EXIT.done;
}

/** `rightseat fleet moved` */
export async function moved(run: FleetRun): Promise<number> {
	await createFleetHome(run.home).moved();
	run.cli.print(run.words.moved);
	return EXIT.done;
}

async function asMemberOf(run: FleetRun, use: (member: Member, url: string) => Promise<number>): Promise<number> {
	const config = run.configured();
	if ((await createFleetHome(run.home).find()) === undefined) throw new CliError(run.words.outside, EXIT.failed);
	if (config === undefined) throw new CliError(run.words.noUrl);
	return await withEngine(config, async (courier) => {
		const member = await asMember(courier, run.home);
		if (member === undefined) throw new CliError(run.words.outside, EXIT.failed);
		return await use(member, config.url);
	});
}

async function renewals({ courier, identity, roster }: Member): Promise<ReadonlyMap<string, number | undefined>> {
	const bucket = courier.bus.bucket(buckets.leases(identity.fleet));
	const revisions = roster.members.list().map(async ({ host }) => [host, (await bucket.get(`host.${host}`))?.revision] as const);
	return new Map(await Promise.all(revisions));
}

async function cardOf({ courier, identity, roster, sealer }: Member, host: string) {
	const signKey = roster.members.find(host)?.keys.sign;
	const entry = await courier.bus.bucket(buckets.hosts(identity.fleet)).get(cardKey(host));
	return signKey === undefined || entry === undefined ? undefined : readCard({ fleet: identity.fleet, host, signKey, sealer }, entry.value);
}
