import { readFileSync } from "node:fs";
import { access, mkdir, rm, writeFile } from "node:fs/promises";
import { join as joinPath } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { CliError, EXIT } from "@rightseat/cli/cli-error";
import { safeLine } from "@rightseat/cli/terminal/safe-text";
import { systemClock } from "../../core/kernel/clock.ts";
import type { Role } from "../../fleet/members/statement.ts";
import { isLoopbackAddress, splitAddresses } from "../../fleet/nats/addresses.ts";
import type { NatsCourier } from "../../fleet/nats/create-nats-courier.ts";
import { existing, keptDoor, keptFiles, ownNatsKey } from "../../fleet/nats/kept-files.ts";
import { sharedLogin } from "../../fleet/nats/logins.ts";
import { createInvite, doorSchema, type Invite, writeInviteCode } from "../../fleet/pairing/invite-code.ts";
import type { Welcome } from "../../fleet/pairing/pair-messages.ts";
import { runInvite } from "../../fleet/pairing/run-invite.ts";
import { foundFleet } from "../../fleet/roster/found-fleet.ts";
import { type InviteOrder, makeInviteFolder } from "../../fleet/runtime/invite-desk.ts";
import { subjects } from "../../fleet/subjects.ts";
import { isYes } from "../reach/ask-person.ts";
import { qrText } from "../reach/qr-text.ts";
import { writePrivately } from "../reach/write-privately.ts";
import type { FleetRun } from "./fleet-command.ts";
import { asMember, type Member, openPlace, withEngine } from "./open-engine.ts";
import { freeHome, hashOf, keepSettings } from "./place.ts";

/** A running server looks every second; one that is busy may need a little longer. */
const HAND_OVER_MS = 4_000;

/** `rightseat fleet init` */
export async function initFleet(run: FleetRun): Promise<number> {
	const { words, cli } = run;
	const config = run.configured();
	if (config === undefined) throw new CliError(words.noUrl);
	const door = run.door === undefined ? undefined : doorFrom(run.door, run);
	const home = await freeHome(run);
	await mkdir(home.folder, { recursive: true, mode: 0o700 });
	const found = async (courier: NatsCourier) => {
		const about: Parameters<typeof foundFleet>[2] = {
			...{ name: run.name, now: systemClock.now, natsKey: ownNatsKey(home.folder), newcomers: run.isTeam ? "watch" : undefined },
			// Its stream is made now: without room for it a person hears so at once, and not when the first copy fails.
			prepare: async (fleet) => void (await courier.copies(fleet).find(subjects.snapshot(fleet, "none", "none", 0))),
		};
		const founded = await foundFleet(courier, home, about);
		await openPlace(courier, founded.identity, founded.roster);
		if (door !== undefined) writePrivately(keptFiles(home.folder).door, `${door}\n`);
		return founded;
	};
	const { identity } = await withEngine(config, found, () => cli.printError(words.fewServers)).catch(async (error: unknown) => {
		await home.leave();
		throw error;
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
		const ca = config.caFile ?? existing(keptFiles(home.folder).ca);
		const door = keptDoor(config.keptIn);
		const made = createInvite({
			...{ url: config.url, fleet: identity.fleet, host: identity.keys.host },
			...(ca === undefined ? {} : { ca: hashOf(ca) }),
			...(door === undefined ? {} : { door }),
		});
		const role = run.role ?? member.roster.newcomers();
		const order: InviteOrder = { invite: made, role, at: systemClock.now() };
		// With somebody before the terminal the words are compared; else who has the code may join, and the server answers if there is one.
		const isHandedOver = run.person === undefined && (await handOver(home.invites, order));
		const code = writeInviteCode(made);
		run.cli.printError(words.invited);
		if (splitAddresses(config.url).every(isLoopbackAddress)) run.cli.printError(words.onlyHere(config.url));
		run.cli.print(code);
		if (run.person !== undefined) run.cli.printError(`\n${qrText(code, { colour: false })}\n`);
		if (isHandedOver) {
			run.cli.printError(words.handedOver);
			return EXIT.done;
		}
		return await answerInvite(run, member, { made, role, share: () => ({ credentials: sharedLogin(config), door }) });
	});
}

interface Answering {
	made: Invite;
	role: Role;
	share: () => Pick<Welcome, "credentials" | "door">;
}

async function answerInvite(run: FleetRun, { courier, roster }: Member, { made, role, share }: Answering): Promise<number> {
	const { words, cli, person } = run;
	cli.printError(words.waiting);
	const outcome = await runInvite(made, {
		...{ bus: courier.bus, roster, clock: systemClock, role, share, signal: run.signal },
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

/** `user:password` with which newcomers knock, out of its file. */
function doorFrom(file: string, { words }: FleetRun): string {
	const text = readFileSync(file, "utf8").trim();
	if (!doorSchema.safeParse(text).success) throw new CliError(words.badDoor(file));
	return text;
}
