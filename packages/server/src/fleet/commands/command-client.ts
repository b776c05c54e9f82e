import type { Beat } from "@rightseat/protocol/fleet/beat";
import {
	COMMAND_LIFE_MS,
	commonVersion,
	FLEET_VERSIONS,
	type FleetAnswer,
	type FleetCommand,
	type FleetVersions,
	fleetAnswerSchema,
} from "@rightseat/protocol/fleet/command";
import type { Clock } from "../../core/kernel/clock.ts";
import { AppError, ERROR_CODES, type ErrorCode } from "../../core/kernel/errors.ts";
import type { IdSource } from "../../core/kernel/ids.ts";
import type { Bus } from "../bus.ts";
import type { HostKeys } from "../crypto/host-keys.ts";
import { parseJson } from "../crypto/parse-json.ts";
import type { Sealer } from "../crypto/seal.ts";
import { isSignatureOf, readSigned, signText } from "../crypto/signed-text.ts";
import type { HostTable, KnownHost } from "../host-table.ts";
import type { Members } from "../members/members.ts";
import { isRead, needsInstance } from "../members/roles.ts";
import { answerContext, subjects } from "../subjects.ts";

/** One try waits so long for its answer; then the same bytes go out again. */
const TRY_MS = 2_000;
/** After that we do not know, and say so. */
export const GIVE_UP_MS = 15_000;
/** Between two tries when nobody answers at once. */
const PAUSE_MS = 250;
/** Commands under way at once, to all hosts. */
export const MAX_UNDER_WAY = 256;

/** Larger than that a command is not sent. */
export const MAX_COMMAND_BYTES = 921_600;

export interface CommandClientDeps {
	fleet: string;
	keys: HostKeys;
	bus: Bus;
	sealer: Sealer;
	members: Members;
	hosts: Pick<HostTable, "find" | "unheard">;
	clock: Clock;
	ids: IdSource;
	/** What the engine takes, where that is less. */
	maxBytes?: () => number;
	/** Which languages we speak. */
	versions?: FleetVersions;
}

/** What is asked of another host. */
export type CommandRequest = Pick<FleetCommand, "to" | "conversationId" | "actor" | "fence" | "frame">;

/** Asks other hosts. A command is signed once and repeated as the same bytes, so that it is carried out at most once. */
export interface CommandClient {
	/**
	 * The frames of the answer. Rejects with what the host refused, with `host-offline` or `fleet-not-connected` when it was certainly not delivered, or with
	 * `host-unreachable` when nobody knows: then a prompt or command with the same `clientMessageId` can be sent again.
	 */
	send(request: CommandRequest): Promise<string[]>;
	/** Whether the very run that this beat names is there now: only it can answer what was never asked before. */
	prove(beat: Beat): Promise<boolean>;
}

export function createCommandClient(deps: CommandClientDeps): CommandClient {
	let underWay = 0;
	return {
		async send(request) {
			const host = hostFor(deps, request.to, request.frame.type);
			if (underWay >= MAX_UNDER_WAY) {
				throw new AppError("rate-limited", "Too much is being asked of other hosts. Try again in a moment.", {
					retryable: true,
					params: { reason: "fleet" },
				});
			}
			underWay += 1;
			try {
				const command = commandOf(deps, request, host);
				return framesOf(await exchange(deps, command, host.name));
			} finally {
				underWay -= 1;
			}
		},
		async prove(beat) {
			const { versions = FLEET_VERSIONS } = deps;
			const hello = { to: beat.host, actor: { origin: "web" as const }, frame: { type: "fleet:hello", data: {} } };
			const command = { ...commandOf(deps, hello, { beat, clock: beat.clock, v: versions.max }), instance: beat.instance };
			return await exchange(deps, command, beat.host).then(
				({ kind }) => kind === "done",
				() => false,
			);
		},
	};
}

type ReachableHost = KnownHost & { v: number; beat: NonNullable<KnownHost["beat"]>; clock: number };

function hostFor(deps: CommandClientDeps, to: string, type: string): ReachableHost {
	const { members, hosts } = deps;
	const known = hosts.find(to);
	if (members.find(to) === undefined) throw new AppError("host-removed", "This host does not belong to the fleet any more.");
	const { beat, clock, card, name = to } = known ?? {};
	if (known === undefined || known.state === "offline" || beat === undefined || clock === undefined) throw offline(name);
	const { versions = FLEET_VERSIONS } = deps;
	const common = card === undefined ? versions.max : commonVersion(versions, card.protocol);
	// Without a common language it can still be read, as far as it can be understood.
	if (common === undefined && !isRead(type)) {
		throw new AppError("host-too-old", `${name} has another version of Rightseat. Update the older of the two.`, { params: { name } });
	}
	return { ...known, beat, clock, v: common ?? Math.min(versions.max, card?.protocol.max ?? versions.max) };
}

function commandOf(
	{ fleet, keys, ids }: CommandClientDeps,
	request: CommandRequest,
	{ beat, clock, v }: Pick<ReachableHost, "beat" | "clock" | "v">,
): FleetCommand {
	return {
		...{ v, id: ids.next(), fleet, from: keys.host, to: request.to },
		instance: needsInstance(request.frame.type) ? beat.instance : undefined,
		...{ conversationId: request.conversationId, actor: request.actor, fence: request.fence, frame: request.frame },
		// In the receiver's clock: it may be hours off, and it may sleep.
		notAfter: clock + COMMAND_LIFE_MS,
	};
}

async function exchange(deps: CommandClientDeps, command: FleetCommand, name: string): Promise<FleetAnswer["result"]> {
	const { keys, clock, sealer } = deps;
	const subject = subjects.command(deps.fleet, command.to);
	const body = Buffer.from(JSON.stringify(signText(keys, keys.host, "command", JSON.stringify(command))));
	const bytes = sealer.seal({ context: subject, from: keys.host, body });
	if (bytes.length > Math.min(MAX_COMMAND_BYTES, deps.maxBytes?.() ?? MAX_COMMAND_BYTES)) {
		throw new AppError("too-large", "This is too large to be sent to another host.", { params: { reason: "fleet-command" } });
	}
	const giveUpAt = clock.elapsed() + GIVE_UP_MS;
	let mayBeDone = false;
	while (clock.elapsed() < giveUpAt) {
		const reply = await deps.bus.request(subject, bytes, TRY_MS);
		const answer = reply.kind === "reply" ? readAnswer(deps, command, reply.bytes) : undefined;
		if (answer !== undefined) return answer.result;
		if (!mayBeDone && reply.kind === "no-responders") {
			// Nobody has to wait for three beats that do not come.
			deps.hosts.unheard(command.to);
			throw offline(name);
		}
		if (!mayBeDone && reply.kind === "disconnected") {
			throw new AppError("fleet-not-connected", "NATS cannot be reached. Work on this host goes on.", { retryable: true });
		}
		// From now on "nobody is there" says only that nobody is there any more.
		mayBeDone = true;
		if (reply.kind !== "timeout") await new Promise<void>((resolve) => void clock.after(PAUSE_MS, resolve));
	}
	throw new AppError("host-unreachable", `${name} did not answer. It may have been done; sending it again does not do it twice.`, {
		retryable: true,
		params: { name },
	});
}

/** The answer, if the host that was asked signed it for this command; anything else counts as none. */
function readAnswer({ fleet, sealer, members }: CommandClientDeps, command: FleetCommand, bytes: Uint8Array): FleetAnswer | undefined {
	const opened = sealer.open({ context: answerContext(fleet, command.to, command.id), from: command.to, bytes });
	const signed = opened.ok ? readSigned(opened.body) : undefined;
	const signKey = members.find(command.to)?.keys.sign;
	if (signed === undefined || signed.by !== command.to || signKey === undefined) return undefined;
	if (!isSignatureOf(signKey, "answer", signed)) return undefined;
	const parsed = fleetAnswerSchema.safeParse(parseJson(signed.payload));
	const isOurs = parsed.success && parsed.data.id === command.id && parsed.data.from === command.to && parsed.data.to === command.from;
	return isOurs ? parsed.data : undefined;
}

function framesOf(result: FleetAnswer["result"]): string[] {
	if (result.kind === "done") return result.frames;
	const { code, message, params, retryable } = result;
	throw new AppError(codeOf(code), message, { params, retryable: retryable ?? false });
}

/** A newer host may have codes that we do not know. */
const codeOf = (code: string): ErrorCode => ERROR_CODES.find((each) => each === code) ?? "fleet-refused";

const offline = (name: string) =>
	new AppError("host-offline", `${name} is offline. Nothing was sent; what was said before can still be read.`, {
		retryable: true,
		params: { name },
	});
