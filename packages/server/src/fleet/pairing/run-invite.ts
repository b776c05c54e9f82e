import type { Clock } from "../../core/kernel/clock.ts";
import { AppError, toAppError } from "../../core/kernel/errors.ts";
import type { Bus } from "../bus.ts";
import { hostIdOf } from "../crypto/host-keys.ts";
import type { Role } from "../members/statement.ts";
import type { Roster } from "../roster/roster.ts";
import { subjects } from "../subjects.ts";
import type { Invite } from "./invite-code.ts";
import { createPairInviter, INVITE_LIFE_MS } from "./pair-inviter.ts";
import type { Newcomer, Welcome } from "./pair-messages.ts";

/** How an invitation ended. */
export type InviteOutcome =
	| { kind: "joined"; host: string; name: string }
	| { kind: "rejected" }
	| { kind: "expired" }
	| { kind: "stopped" };

interface InviteDeps {
	bus: Bus;
	roster: Roster;
	clock: Clock;
	/** What the newcomer may do. */
	role: Role;
	/** For the newcomer's way to the engine. */
	share?: (() => Pick<Welcome, "credentials" | "door">) | undefined;
	/** A person compares the words, or has agreed beforehand. */
	decide(newcomer: Newcomer, words: readonly string[]): Promise<boolean>;
	/** Something failed on the way; the newcomer says it again. */
	onTrouble?(error: unknown): void;
	signal?: AbortSignal;
}

/** After the last answer went out: it may have been lost, and is asked for again. */
const LINGER_MS = 1_000;
/** The newcomer asks again every now and then; one that does not come for its answer has gone. */
const PATIENCE_MS = 30_000;

/** Answers one invitation until somebody has joined with it, was rejected, or it is over. Never rejects. */
export function runInvite(invite: Invite, deps: InviteDeps): Promise<InviteOutcome> {
	const { bus, roster, clock } = deps;
	const machine = createPairInviter(invite, clock);
	return new Promise((resolve) => {
		let isDeciding = false;
		let outcome: InviteOutcome | undefined;
		const ends: (() => void)[] = [];
		const end = (outcome: InviteOutcome) => {
			for (const stop of ends) stop();
			resolve(outcome);
		};
		async function decide(newcomer: Newcomer, words: readonly string[]): Promise<void> {
			const host = hostIdOf(newcomer.keys);
			if (!(await deps.decide(newcomer, words))) {
				machine.reject();
				outcome = { kind: "rejected" };
				ends.push(clock.after(PATIENCE_MS, () => end({ kind: "rejected" })));
				return;
			}
			machine.welcome({ ...deps.share?.(), ...(await admit(roster, invite, { host, newcomer, role: deps.role })) });
			const joined = { kind: "joined", host, name: newcomer.name } as const;
			outcome = joined;
			ends.push(clock.after(PATIENCE_MS, () => end(joined)));
		}
		function receive(bytes: Uint8Array): Uint8Array {
			const answer = machine.receive(bytes);
			const last = outcome;
			if (last !== undefined) ends.push(clock.after(LINGER_MS, () => end(last)));
			const asking = machine.asking();
			if (asking !== undefined && !isDeciding) {
				isDeciding = true;
				decide(asking.newcomer, asking.words).catch((error: unknown) => {
					isDeciding = false;
					deps.onTrouble?.(toAppError(error));
				});
			}
			return Buffer.from(JSON.stringify(answer));
		}
		const stop = () => end({ kind: "stopped" });
		deps.signal?.addEventListener("abort", stop);
		ends.push(
			bus.subscribe(subjects.pairing(invite.fleet, invite.invite), ({ bytes, answer }) => answer?.(receive(bytes))),
			clock.after(INVITE_LIFE_MS, () => isDeciding || end({ kind: "expired" })),
			() => deps.signal?.removeEventListener("abort", stop),
		);
		if (deps.signal?.aborted === true) stop();
	});
}

/** Known everywhere before the newcomer hears of it, so that nobody takes it for a stranger. */
async function admit(
	roster: Roster,
	invite: Invite,
	{ host, newcomer, role }: { host: string; newcomer: Newcomer; role: Role },
): Promise<Welcome> {
	const { members, held } = roster;
	await roster.sync();
	if (members.find(host) === undefined) {
		const { keys, natsKey } = newcomer;
		await roster.say({ kind: "add", member: { host, keys, role, natsKey }, invite: invite.invite });
	}
	const number = members.keyNumber();
	const key = held.find(number);
	const root = roster.root();
	if (key === undefined || root === undefined) {
		throw new AppError("fleet-refused", "This host does not have the fleet's newest key yet. It comes by itself; try again in a moment.", {
			retryable: true,
			params: { reason: "no-key" },
		});
	}
	return { fleet: invite.fleet, root, members: members.position(), key: { number, secret: Buffer.from(key).toString("base64url") } };
}
