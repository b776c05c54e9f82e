import { X509Certificate } from "node:crypto";
import { readFileSync } from "node:fs";
import { access, rm, writeFile } from "node:fs/promises";
import { join as joinPath } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { CliError, EXIT } from "@rightseat/cli/cli-error";
import { safeLine } from "@rightseat/cli/terminal/safe-text";
import { systemClock } from "../../core/kernel/clock.ts";
import { createFleetHome } from "../../fleet/home/fleet-home.ts";
import { createInvite, type Invite, readInviteCode, writeInviteCode } from "../../fleet/pairing/invite-code.ts";
import { runInvite } from "../../fleet/pairing/run-invite.ts";
import { joinFleet } from "../../fleet/pairing/run-join.ts";
import { foundFleet } from "../../fleet/roster/found-fleet.ts";
import { type InviteOrder, makeInviteFolder } from "../../fleet/runtime/invite-desk.ts";
import { prepareHome } from "../home/home-directory.ts";
import { findInstallPaths } from "../home/install-paths.ts";
import { isYes } from "../reach/ask-person.ts";
import { qrText } from "../reach/qr-text.ts";
import { setInConfigFile } from "./config-file.ts";
import type { FleetRun } from "./fleet-command.ts";
import { asMember, type Member, openPlace, withEngine } from "./open-engine.ts";

/** A running server looks every second; one that is busy may need a little longer. */
const HAND_OVER_MS = 4_000;

type Configured = NonNullable<ReturnType<FleetRun["configured"]>>;

/** `rightseat fleet init` */
export async function initFleet(run: FleetRun): Promise<number> {
	const { words, cli } = run;
	const config = run.configured();
	if (config === undefined) throw new CliError(words.noUrl);
	const home = await freeHome(run);
	const { identity } = await withEngine(config, async (courier) => {
		const founded = await foundFleet(courier, home, { name: run.name, now: systemClock.now });
		await openPlace(courier, founded.identity, founded.roster);
		return founded;
	});
	cli.print(words.founded(identity.fleet, identity.name));
	keepSettings(run, config);
	cli.print(words.keepRoot(joinPath(home.folder, "root.json")));
	cli.print(words.inviteNext);
	return EXIT.done;
}

/** `rightseat fleet invite`. The code alone goes to standard output, so that a script can take it. */
export async function invite(run: FleetRun): Promise<number> {
	const { words } = run;
	const config = run.configured();
	if (config === undefined) throw new CliError(words.noUrl);
	return await withEngine(config, async (courier) => {
		const member = await asMember(courier, run.home);
		if (member === undefined) throw new CliError(words.outside);
		const { identity, home } = member;
		const made = createInvite({
			...{ url: config.url, fleet: identity.fleet, host: identity.keys.host },
			...(config.caFile === undefined ? {} : { ca: hashOf(config.caFile) }),
		});
		const order: InviteOrder = { invite: made, role: run.role, at: systemClock.now() };
		// With somebody before the terminal the words are compared; else who has the code may join, and the server answers if there is one.
		const isHandedOver = run.person === undefined && (await handOver(home.invites, order));
		const code = writeInviteCode(made);
		run.cli.printError(words.invited);
		run.cli.print(code);
		if (run.person !== undefined) run.cli.printError(`\n${qrText(code, { colour: false })}\n`);
		if (isHandedOver) {
			run.cli.printError(words.handedOver);
			return EXIT.done;
		}
		return await answerInvite(run, member, made);
	});
}

async function answerInvite(run: FleetRun, { courier, roster }: Member, made: Invite): Promise<number> {
	const { words, cli, person } = run;
	cli.printError(words.waiting);
	const outcome = await runInvite(made, {
		...{ bus: courier.bus, roster, clock: systemClock, role: run.role, signal: run.signal },
		async decide({ name }, said) {
			cli.printError(words.compare(safeLine(name), said.join(" ")));
			return person === undefined || isYes(await person(words.areSame));
		},
		onTrouble: (error) => cli.printError(safeLine(error instanceof Error ? error.message : String(error))),
	});
	switch (outcome.kind) {
		case "joined":
			cli.printError(words.joinedBy(safeLine(outcome.name)));
			return EXIT.done;
		case "rejected":
			cli.printError(words.notJoined);
			return EXIT.failed;
		case "expired":
			cli.printError(words.inviteOver);
			return EXIT.failed;
		default:
			cli.printError(words.stopped);
			return EXIT.ctrlC;
	}
}

/** True: a running server has taken it. */
async function handOver(folder: string, order: InviteOrder): Promise<boolean> {
	await makeInviteFolder(folder);
	const file = joinPath(folder, `${order.invite.invite}.json`);
	await writeFile(file, JSON.stringify(order), { mode: 0o600 });
	const isThere = (path: string) =>
		access(path).then(
			() => true,
			() => false,
		);
	for (const until = systemClock.elapsed() + HAND_OVER_MS; systemClock.elapsed() < until; await wait(100)) {
		if (await isThere(`${file}.taken`)) return true;
	}
	await rm(file, { force: true });
	// It may have been taken in this moment.
	return await isThere(`${file}.taken`);
}

/** `rightseat fleet join CODE` */
export async function join(run: FleetRun): Promise<number> {
	const { words, cli, argument } = run;
	if (argument === undefined) throw new CliError(words.noCode);
	const read = readInviteCode(argument);
	if (read === "torn") throw new CliError(words.tornCode);
	if (read === "none") throw new CliError(words.notACode);
	const config = run.configured(read.url);
	if (config === undefined) throw new CliError(words.noUrl);
	checkAuthority(read, config, run);
	const home = await freeHome(run);
	const { identity } = await withEngine(config, async (courier) => {
		const joined = await joinFleet(read, {
			...{ bus: courier.bus, home, clock: systemClock, name: run.name, version: findInstallPaths().version, signal: run.signal },
			onWords: (said) => cli.print(words.words(said.join(" "))),
		});
		await openPlace(courier, joined.identity, joined.roster);
		return joined;
	});
	cli.print(words.joined(identity.fleet, identity.name));
	keepSettings(run, config);
	return EXIT.done;
}

/** The home, which must have no place in a fleet yet. */
async function freeHome(run: FleetRun) {
	prepareHome(run.home);
	const home = createFleetHome(run.home);
	const before = await home.find();
	if (before !== undefined) throw new CliError(run.words.already(before.fleet), EXIT.failed);
	return home;
}

/** What the server will read at its next start; nothing is written where it reads the same already. */
function keepSettings(run: FleetRun, { url, credsFile, caFile }: Configured): void {
	const { words, cli, home } = run;
	const settled = run.settled();
	if (settled?.url === url && settled.credsFile === credsFile && settled.caFile === caFile) return;
	const file = setInConfigFile(home, {
		fleetUrl: url,
		...(credsFile === undefined ? {} : { fleetCreds: credsFile }),
		...(caFile === undefined ? {} : { fleetCa: caFile }),
	});
	if (file === undefined) return;
	cli.print(words.kept(file));
	cli.print(words.restart);
}

function checkAuthority({ ca }: Invite, { caFile }: Configured, { words }: FleetRun): void {
	if (ca === undefined) return;
	if (caFile === undefined) throw new CliError(words.needsCa(ca));
	if (hashOf(caFile) !== ca) throw new CliError(words.otherCa(caFile));
}

/** SHA-256 of the certificate in a file. Throws CliError when there is none. */
function hashOf(file: string): string {
	try {
		return new X509Certificate(readFileSync(file)).fingerprint256.replaceAll(":", "").toLowerCase();
	} catch (error) {
		throw new CliError(`${file}: ${error instanceof Error ? error.message : String(error)}`);
	}
}
