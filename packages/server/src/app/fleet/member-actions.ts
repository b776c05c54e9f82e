import { setTimeout as wait } from "node:timers/promises";
import { CliError, EXIT } from "@rightseat/cli/cli-error";
import { safeLine } from "@rightseat/cli/terminal/safe-text";
import { createFleetHome } from "../../fleet/home/fleet-home.ts";
import { cardKey, readCard } from "../../fleet/hosts/entries.ts";
import { RENEW_MS } from "../../fleet/lease/lease.ts";
import { ROLES, type Role } from "../../fleet/members/statement.ts";
import { keptDoor } from "../../fleet/nats/kept-files.ts";
import { writePermissions } from "../../fleet/nats/permissions.ts";
import { removeHost } from "../../fleet/roster/found-fleet.ts";
import { buckets } from "../../fleet/subjects.ts";
import { setInConfigFile } from "./config-file.ts";
import type { FleetRun } from "./fleet-command.ts";
import { asMember, type Member, withEngine } from "./open-engine.ts";
import type { FleetWords } from "./words.ts";

/** A host that is there renews its entry in this time, also on a busy machine. */
const RENEWED_WITHIN_MS = RENEW_MS + 1_000;

/** One host, as `status` tells of it. */
interface HostLine {
	id: string;
	name: string | undefined;
	role: Role;
	state: "online" | "offline";
	version: string;
	self: boolean;
}

/** `rightseat fleet status` */
export async function status(run: FleetRun): Promise<number> {
	const { words, cli } = run;
	return await asMemberOf(run, async (member, url) => {
		const { identity, courier } = member;
		const engine = courier.status();
		const version = engine.kind === "connected" ? engine.version : "?";
		const host = { id: identity.keys.host, name: identity.name };
		if (!run.isJson) {
			cli.print(words.status.fleet(identity.fleet, host.id, safeLine(host.name)));
			cli.print(words.status.engine(url, version));
		}
		const hosts = await hostLines(member);
		if (run.isJson) cli.print(JSON.stringify({ fleet: identity.fleet, host, nats: { url, version }, hosts }));
		else for (const each of hosts) cli.print(lineOf(each, words));
		return EXIT.done;
	});
}

async function hostLines(member: Member): Promise<HostLine[]> {
	const before = await renewals(member);
	await wait(RENEWED_WITHIN_MS);
	const after = await renewals(member);
	return await Promise.all(
		member.roster.members.list().map(async ({ host, role }): Promise<HostLine> => {
			const card = await cardOf(member, host);
			const state = after.get(host) !== before.get(host) ? "online" : "offline";
			return { id: host, name: card?.name, role, state, version: card?.version ?? "", self: host === member.identity.keys.host };
		}),
	);
}

function lineOf({ id, name, role, state, version, self }: HostLine, { status: said }: FleetWords): string {
	return `  ${said[state].padEnd(8)} ${id} ${role.padEnd(5)} ${safeLine(name ?? said.unnamed)} ${safeLine(version)}${self ? ` ${said.self}` : ""}`.trimEnd();
}

/** `rightseat fleet remove HOST` */
export async function remove(run: FleetRun): Promise<number> {
	const { words, cli } = run;
	return await asMemberOf(run, async (member) => {
		const { host, name } = await hostNamed(run, member);
		await removeHost(member.roster, host);
		cli.print(words.removed(safeLine(name)));
		return EXIT.done;
	});
}

/** `rightseat fleet role HOST ROLE` */
export async function changeRole(run: FleetRun): Promise<number> {
	const { words, cli, second } = run;
	const role = ROLES.find((each) => each === second);
	if (role === undefined) throw new CliError(words.whichRole);
	return await asMemberOf(run, async (member) => {
		const { host, name } = await hostNamed(run, member);
		if (member.roster.members.find(host)?.role !== role) await member.roster.say({ kind: "role", host, role });
		cli.print(words.roleChanged(safeLine(name), role));
		return EXIT.done;
	});
}

/** `rightseat fleet permissions`: only what belongs into the file goes to standard output. */
export async function permissions(run: FleetRun): Promise<number> {
	return await asMemberOf(run, async (member) => {
		const { identity, home, roster } = member;
		const named = await Promise.all(
			roster.members.list().map(async (each) => ({ ...each, name: (await cardOf(member, each.host))?.name ?? run.words.status.unnamed })),
		);
		run.cli.print(writePermissions(identity.fleet, named, keptDoor(home.folder)));
		run.cli.printError(run.words.applyPermissions);
		return EXIT.done;
	});
}

/** By its name or id. */
async function hostNamed({ words, argument }: FleetRun, member: Member): Promise<{ host: string; name: string }> {
	if (argument === undefined) throw new CliError(words.noHost);
	const named = await Promise.all(
		member.roster.members.list().map(async ({ host }) => ({ host, name: (await cardOf(member, host))?.name ?? host })),
	);
	const found = named.filter(({ host, name }) => host === argument || name === argument);
	const [only] = found;
	if (only === undefined) throw new CliError(words.unknownHost(safeLine(argument)), EXIT.failed);
	if (found.length > 1) throw new CliError(words.ambiguous(safeLine(argument)), EXIT.failed);
	return only;
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
