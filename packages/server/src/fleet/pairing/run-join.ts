import type { Clock } from "../../core/kernel/clock.ts";
import { AppError } from "../../core/kernel/errors.ts";
import type { Bus } from "../bus.ts";
import { createHostKeys, type HostKeys } from "../crypto/host-keys.ts";
import type { FleetHome, Identity } from "../home/fleet-home.ts";
import { openRoster, type Roster } from "../roster/roster.ts";
import { subjects } from "../subjects.ts";
import type { Invite } from "./invite-code.ts";
import { INVITE_LIFE_MS } from "./pair-inviter.ts";
import { createPairJoiner, type JoinState } from "./pair-joiner.ts";
import type { Welcome } from "./pair-messages.ts";

interface JoinDeps {
	bus: Bus;
	home: FleetHome;
	clock: Clock;
	name: string;
	version: string;
	/** The public half of this host's key for the engine. */
	natsKey?: string | undefined;
	/** They must be the same at the inviter. */
	onWords(words: readonly string[]): void;
	signal?: AbortSignal;
}

const TRY_MS = 2_000;
const PAUSE_MS = 500;
/** The inviter may be connecting itself. */
const PATIENCE_MS = 10_000;

/** A newcomer that the inviter has let in, and what it was given. */
export interface Paired {
	keys: HostKeys;
	welcome: Welcome;
}

/** Asks the inviter; nothing is written. Rejects with `fleet-refused` and why. */
export async function askInviter(invite: Invite, deps: Omit<JoinDeps, "home">): Promise<Paired> {
	const keys = createHostKeys();
	return { keys, welcome: await pair(invite, deps, keys) };
}

/** Takes the place that the inviter gave. On failure nothing is left on this disk; rejects with `fleet-refused` and why. */
export async function takePlace(
	invite: Invite,
	{ keys, welcome }: Paired,
	deps: Pick<JoinDeps, "bus" | "home" | "clock" | "name">,
): Promise<{ identity: Identity; roster: Roster }> {
	const identity: Identity = { fleet: invite.fleet, name: deps.name, since: deps.clock.now(), keys, root: undefined };
	await deps.home.take(identity);
	try {
		const { history, contentKeys } = deps.home;
		const roster = await openRoster({ ...identity, bus: deps.bus, history, contentKeys, now: deps.clock.now });
		await roster.sync();
		// The inviter has signed where the history stands: an engine that hides a part of it is found out.
		if (roster.headAt(welcome.members.version) !== welcome.members.head)
			throw refused("history", "NATS shows another history of this fleet than the inviter. Do not trust it; try again.");
		if (!(await roster.hold(welcome.key.number, Buffer.from(welcome.key.secret, "base64url")))) {
			throw refused("history", "The inviter's key is not the fleet's. Ask for another invitation.");
		}
		return { identity, roster };
	} catch (error) {
		await deps.home.leave();
		throw error;
	}
}

async function pair(invite: Invite, deps: Omit<JoinDeps, "home">, keys: HostKeys): Promise<Welcome> {
	const { bus, clock, signal, name, version, natsKey } = deps;
	const machine = createPairJoiner(invite, keys, { name, version, natsKey });
	const subject = subjects.pairing(invite.fleet, invite.invite);
	const startedAt = clock.elapsed();
	let hasWords = false;
	while (clock.elapsed() - startedAt < INVITE_LIFE_MS) {
		const reply = await bus.request(subject, Buffer.from(JSON.stringify(machine.next())), TRY_MS);
		if (signal?.aborted === true) throw refused("stopped", "Stopped; this host has not joined.");
		if (reply.kind === "reply") machine.receive(reply.bytes);
		const state: JoinState = machine.state();
		if (state.kind === "welcomed") return state.welcome;
		if (state.kind === "refused") throw refusal(state);
		if (state.kind === "joining" && !hasWords) {
			hasWords = true;
			deps.onWords(state.words);
			continue;
		}
		const isAlone = reply.kind === "no-responders" || reply.kind === "disconnected";
		if (isAlone && clock.elapsed() - startedAt > PATIENCE_MS) {
			throw refused("inviter", 'The inviting host does not answer. Is "rightseat fleet invite", or its server, still running there?');
		}
		await new Promise<void>((resolve) => void clock.after(PAUSE_MS, resolve));
	}
	throw refused("expired", "The invitation is over. Ask for another one.");
}

function refusal({ reason, by = "?" }: Extract<JoinState, { kind: "refused" }>): AppError {
	switch (reason) {
		case "used":
			return new AppError("fleet-refused", `This code was used by ${by}. Ask for another one.`, { params: { reason: "used", name: by } });
		case "expired":
			return refused("expired", "The invitation is over. Ask for another one.");
		case "rejected":
			return refused("rejected", "The inviting host said no: the words were not the same there.");
		case "version":
			return refused("version", "The two hosts have different versions of Rightseat. Update the older one.");
		default:
			return refused("forged", "The inviting host did not accept this code. Copy it again, whole.");
	}
}

const refused = (reason: string, message: string) => new AppError("fleet-refused", message, { params: { reason } });
