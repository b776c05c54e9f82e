import { mkdir } from "node:fs/promises";
import { CliError, EXIT } from "@rightseat/cli/cli-error";
import { systemClock } from "../../core/kernel/clock.ts";
import { AppError } from "../../core/kernel/errors.ts";
import type { FleetHome } from "../../fleet/home/fleet-home.ts";
import { fetchAuthority } from "../../fleet/nats/fetch-authority.ts";
import { keptFiles, ownNatsKey } from "../../fleet/nats/kept-files.ts";
import { type Invite, readInviteCode } from "../../fleet/pairing/invite-code.ts";
import { INVITE_LIFE_MS } from "../../fleet/pairing/pair-inviter.ts";
import { askInviter, type Paired, takePlace } from "../../fleet/pairing/run-join.ts";
import { findInstallPaths } from "../home/install-paths.ts";
import { writePrivately } from "../reach/write-privately.ts";
import type { FleetRun } from "./fleet-command.ts";
import { openPlace, withEngine } from "./open-engine.ts";
import { type Configured, freeHome, hashOf, keepSettings } from "./place.ts";

/** Between two tries while whoever runs NATS has not let this host in. */
const KNOCK_MS = 3_000;

/** `rightseat fleet join CODE` */
export async function join(run: FleetRun): Promise<number> {
	const { words, cli, argument } = run;
	if (argument === undefined) throw new CliError(words.noCode);
	const invite = readInviteCode(argument);
	if (invite === "torn") throw new CliError(words.tornCode);
	if (invite === "none") throw new CliError(words.notACode);
	const config = run.configured(invite.url);
	if (config === undefined) throw new CliError(words.noUrl);
	const home = await freeHome(run);
	await mkdir(home.folder, { recursive: true, mode: 0o700 });
	try {
		const { fleet, name } = await joinWith(run, invite, { config, home });
		cli.print(words.joined(fleet, name));
	} catch (error) {
		await home.leave();
		throw error;
	}
	keepSettings(run, config);
	return EXIT.done;
}

async function joinWith(run: FleetRun, invite: Invite, { config, home }: { config: Configured; home: FleetHome }) {
	await findAuthority(run, invite, { config, home });
	const { name, signal, words, cli } = run;
	const natsKey = ownNatsKey(home.folder);
	const said = { natsKey, name, version: findInstallPaths().version };
	const onWords = (each: readonly string[]) => cli.print(words.words(each.join(" ")));
	// What a person named wins over what the code brings.
	const knock = config.credsFile === undefined && invite.door !== undefined ? { ...config, door: invite.door } : config;
	const paired = await withEngine(knock, ({ bus }) => askInviter(invite, { bus, clock: systemClock, ...said, signal, onWords }));
	keepLogins(home, config, paired);
	return await asMember(run, config, async (courier) => {
		const { identity, roster } = await takePlace(invite, paired, { bus: courier.bus, home, clock: systemClock, name });
		await openPlace(courier, identity, roster);
		return identity;
	});
}

/** What the inviter sent, for this host's way to the engine. */
function keepLogins({ folder }: FleetHome, { credsFile }: Configured, { welcome }: Paired): void {
	const { creds, door } = keptFiles(folder);
	if (welcome.credentials !== undefined && credsFile === undefined) writePrivately(creds, `${welcome.credentials}\n`);
	if (welcome.door !== undefined) writePrivately(door, `${welcome.door}\n`);
}

/** Where each host has a login of its own, whoever runs NATS has to let this one in first. */
async function asMember<T>(run: FleetRun, config: Configured, use: Parameters<typeof withEngine<T>>[1]): Promise<T> {
	const until = systemClock.elapsed() + INVITE_LIFE_MS;
	for (let isTold = false; ; isTold = true) {
		try {
			return await withEngine(config, use);
		} catch (error) {
			const isRefused = error instanceof AppError && error.params?.reason === "credentials";
			if (!isRefused || run.signal.aborted || systemClock.elapsed() > until) throw error;
			if (!isTold) run.cli.print(run.words.letIn);
			await new Promise<void>((resolve) => void systemClock.after(KNOCK_MS, resolve));
		}
	}
}

/** The authority that the invitation names: in the file that a person named, or out of what NATS shows. */
async function findAuthority(
	{ words }: FleetRun,
	{ ca, url }: Invite,
	{ config, home }: { config: Configured; home: FleetHome },
): Promise<void> {
	if (ca === undefined) return;
	if (config.caFile !== undefined) {
		if (hashOf(config.caFile) !== ca) throw new CliError(words.otherCa(config.caFile));
		return;
	}
	const found = await fetchAuthority(url, ca);
	if (found === undefined) throw new CliError(words.needsCa(ca));
	writePrivately(keptFiles(home.folder).ca, found);
}
