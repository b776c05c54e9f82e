import { createHash } from "node:crypto";
import {
	COMMAND_LIFE_MS,
	FLEET_VERSIONS,
	type FleetAnswer,
	type FleetCommand,
	type FleetVersions,
	fleetCommandSchema,
} from "@rightseat/protocol/fleet/command";
import { AppError, toAppError } from "../../core/kernel/errors.ts";
import type { BusMessage } from "../bus.ts";
import type { HostKeys } from "../crypto/host-keys.ts";
import { parseJson } from "../crypto/parse-json.ts";
import type { Sealer } from "../crypto/seal.ts";
import { isSignatureOf, readSigned, signText } from "../crypto/signed-text.ts";
import { isAtLeast, lesserRole, type Members } from "../members/members.ts";
import { isRead, needsInstance, roleFor } from "../members/roles.ts";
import type { Role } from "../members/statement.ts";
import { answerContext, subjects } from "../subjects.ts";
import type { CommandMemory, CommandResult } from "./command-memory.ts";
import type { Fences } from "./fences.ts";

/** Larger than that no answer is sent: what is long is asked for in parts. */
export const MAX_ANSWER_BYTES = 921_600;
/** A sender may think our clock is ahead by this much; a command from further ahead could be kept and used later. */
const CLOCK_SLACK_MS = 30_000;

export interface CommandServerDeps {
	fleet: string;
	keys: HostKeys;
	name: string;
	/** Of this run of the server. */
	instance: string;
	sealer: Sealer;
	members: Members;
	/** However much a host was given, here it may do no more than this. */
	allow: () => Role;
	/** The clock that our beats tell, which never goes back. */
	now: () => number;
	memory: CommandMemory;
	fences: Fences;
	/** What the engine takes, where that is less. */
	maxBytes?: () => number;
	/** Which languages we speak. */
	versions?: FleetVersions;
	/** Carries it out; the frames are what `/ws` would have said. Rejects with AppError when nothing was done. */
	run(command: FleetCommand): Promise<string[]>;
	/** Every command that a member signed and that was carried out or refused, once each; what was only read is left out. */
	audit(entry: CommandAudit): void;
	/** Something came that no member signed for us, or that could not be answered: counted, never answered. */
	onUnsigned(reason: string): void;
}

export interface CommandAudit {
	command: FleetCommand;
	/** `done`, or the code of the refusal. */
	verdict: string;
}

/** Carries out what other hosts ask, each at most once, if they may and if it is not too late. */
export interface CommandServer {
	/** Never rejects; whatever came. */
	receive(message: BusMessage): Promise<void>;
}

export function createCommandServer(deps: CommandServerDeps): CommandServer {
	const { fleet, keys, members } = deps;
	const subject = subjects.command(fleet, keys.host);
	/** Reads that were not answered yet: who asks again meanwhile gets the same answer. */
	const reads = new Map<string, Promise<CommandResult>>();
	return {
		async receive({ bytes, answer }) {
			const read = readCommand(deps, subject, bytes);
			if (!read.ok) return deps.onUnsigned(read.reason);
			const { command } = read;
			const { result, isRepeated } = await resultOf(deps, reads, command);
			const verdict = result.kind === "done" ? "done" : result.code;
			if (!isRepeated && !(verdict === "done" && isRead(command.frame.type))) deps.audit({ command, verdict });
			// A host that was removed meanwhile has no key to read it with.
			if (answer === undefined || members.find(command.from) === undefined) return;
			try {
				answer(sealAnswer(deps, command, result));
			} catch (error) {
				deps.onUnsigned(`unanswered: ${toAppError(error).code}`);
			}
		},
	};
}

/** The command, if a member of this fleet signed it for this host. */
function readCommand({ sealer, members, fleet, keys }: CommandServerDeps, subject: string, bytes: Uint8Array) {
	const opened = sealer.open({ context: subject, bytes });
	if (!opened.ok) return opened;
	const signed = readSigned(opened.body);
	if (signed === undefined || signed.by !== opened.header.from) return { ok: false, reason: "malformed" } as const;
	const signKey = members.find(signed.by)?.keys.sign;
	if (signKey === undefined) return { ok: false, reason: members.isRemoved(signed.by) ? "removed" : "stranger" } as const;
	if (!isSignatureOf(signKey, "command", signed)) return { ok: false, reason: "bad-signature" } as const;
	const parsed = fleetCommandSchema.safeParse(parseJson(signed.payload));
	if (!parsed.success) return { ok: false, reason: "malformed" } as const;
	const command = parsed.data;
	const isForUs = command.fleet === fleet && command.to === keys.host && command.from === signed.by;
	return isForUs ? ({ ok: true, command } as const) : ({ ok: false, reason: "elsewhere" } as const);
}

async function resultOf(
	deps: CommandServerDeps,
	reads: Map<string, Promise<CommandResult>>,
	command: FleetCommand,
): Promise<{ result: CommandResult; isRepeated: boolean }> {
	const key = `${command.from} ${command.id}`;
	try {
		checkMeaning(deps, command);
		if (isRead(command.frame.type)) {
			checkTime(deps, command);
			const read = reads.get(key) ?? carryOut(deps, command).finally(() => reads.delete(key));
			reads.set(key, read);
			return { isRepeated: false, result: await read };
		}
		const fingerprint = fingerprintOf(command);
		const begun = deps.memory.begin(key, { from: command.from, fingerprint, until: command.notAfter });
		if (begun.kind === "full") {
			throw new AppError("rate-limited", "Too many commands came from other hosts. Try again in a minute.", {
				retryable: true,
				params: { reason: "fleet" },
			});
		}
		if (begun.kind === "known") {
			if (begun.fingerprint !== fingerprint) throw new AppError("id-reused", "This id was used for another command.");
			return { isRepeated: true, result: await begun.result };
		}
		const result = await runOnce(deps, command);
		// Nothing was done and a later try may work: the same id may come again.
		deps.memory.end(key, result, result.kind === "refused" && result.retryable === true);
		return { isRepeated: false, result };
	} catch (error) {
		return { isRepeated: false, result: refusal(error) };
	}
}

async function runOnce(deps: CommandServerDeps, command: FleetCommand): Promise<CommandResult> {
	try {
		checkTime(deps, command);
		checkFence(deps, command);
		return await carryOut(deps, command);
	} catch (error) {
		return refusal(error);
	}
}

async function carryOut(deps: CommandServerDeps, command: FleetCommand): Promise<CommandResult> {
	return { kind: "done", frames: await deps.run(command) };
}

/** May this sender ask for this, in words that we understand? Checked again for every repetition: a removal counts at once. */
function checkMeaning({ members, name, allow, versions = FLEET_VERSIONS }: CommandServerDeps, command: FleetCommand): void {
	const { frame, from, conversationId } = command;
	// What changes nothing may be asked for in any language; what is not understood of it is not answered.
	if ((command.v > versions.max || command.v < versions.min) && !isRead(frame.type)) {
		throw new AppError("host-too-old", `${name} has another version of Rightseat. Update the older of the two.`, { params: { name } });
	}
	const named = frame.data?.conversationId;
	if (named !== undefined && named !== conversationId) {
		throw new AppError("bad-frame", "The command is for another conversation than its frame.", {
			params: { type: frame.type, where: "conversationId" },
		});
	}
	const role = members.find(from)?.role;
	if (role === undefined) throw new AppError("host-removed", "This host does not belong to the fleet any more.");
	if (!isAtLeast(lesserRole(role, allow()), roleFor(frame.type))) {
		throw new AppError("not-allowed-on-host", `${name} does not allow this from here. Change the role of this host there.`, {
			params: { name },
		});
	}
}

function checkTime({ now, instance, name }: CommandServerDeps, { notAfter, frame, instance: wanted }: FleetCommand): void {
	if (now() > notAfter || notAfter > now() + COMMAND_LIFE_MS + CLOCK_SLACK_MS) {
		throw new AppError("command-expired", "This came too late and was not carried out. Send it again if it is still wanted.");
	}
	if (wanted === undefined ? needsInstance(frame.type) : wanted !== instance) {
		throw new AppError(
			"command-expired",
			`${name} has started again since. This was not carried out; send it again if it is still wanted.`,
			{
				params: { reason: "restarted", name },
			},
		);
	}
}

function checkFence({ fences }: CommandServerDeps, { fence }: FleetCommand): void {
	if (fence === undefined || fences.pass(fence.lease, fence.number)) return;
	throw new AppError("fleet-refused", "Another host has taken over this task since. This one must not go on with it.", {
		params: { reason: "fence" },
	});
}

function refusal(error: unknown): CommandResult {
	const { code, message, params, retryable } = toAppError(error);
	return { kind: "refused", code, message: message.slice(0, 2_000), params, retryable };
}

function sealAnswer({ fleet, keys, sealer, maxBytes }: CommandServerDeps, command: FleetCommand, result: CommandResult): Buffer {
	const seal = (said: CommandResult) => {
		const answer: FleetAnswer = { id: command.id, from: keys.host, to: command.from, result: said };
		const body = Buffer.from(JSON.stringify(signText(keys, keys.host, "answer", JSON.stringify(answer))));
		return sealer.seal({ context: answerContext(fleet, keys.host, command.id), from: keys.host, body });
	};
	const sealed = seal(result);
	if (sealed.length <= Math.min(MAX_ANSWER_BYTES, maxBytes?.() ?? MAX_ANSWER_BYTES)) return sealed;
	return seal(refusal(new AppError("too-large", "The answer is too large for one message.", { params: { reason: "fleet-answer" } })));
}

/** Two commands with one id are the same if they ask for the same; the time may differ. */
const fingerprintOf = ({ conversationId, frame }: FleetCommand) =>
	createHash("sha256")
		.update(JSON.stringify([conversationId ?? "", frame]))
		.digest("hex");
