import type { FleetCommand } from "@rightseat/protocol/fleet/command";
import { AppError } from "../../core/kernel/errors.ts";
import { signText } from "../crypto/signed-text.ts";
import { subjects } from "../subjects.ts";
import type { CommandBed } from "./command-bed-harness.ts";
import type { CommandRequest } from "./command-client.ts";

/** Who asks in the tests. */
export const ACTOR = { origin: "web", from: "127.0.0.1" } as const;
export const frame = (type: string, data: Record<string, unknown> = {}) => ({ type, data: { conversationId: "c1", ...data } });
export const prompt = frame("copilot:send", { prompt: "hi", clientMessageId: "m1" });

export const request = (bed: CommandBed, more: Partial<CommandRequest> = {}): CommandRequest => ({
	...{ to: bed.owner.keys.host, conversationId: "c1", actor: ACTOR, frame: prompt },
	...more,
});

/** The outcome: frames, or the code of the error; time passes until it is there. */
export async function outcome(bed: CommandBed, more: Partial<CommandRequest> = {}): Promise<string> {
	let found: string | undefined;
	bed.console.client.send(request(bed, more)).then(
		(frames) => {
			found = frames.join();
		},
		(error: unknown) => {
			found = error instanceof AppError ? error.code : String(error);
		},
	);
	for (let step = 0; step < 100 && found === undefined; step++) await bed.clock.advance(250);
	return found ?? "no outcome";
}

/** A command as the console would sign it, changed; sent as it is. */
export async function forged(
	bed: CommandBed,
	change: Partial<FleetCommand>,
	signer = bed.console.keys,
	by = signer.host,
	sealedBy = by,
): Promise<void> {
	const command: FleetCommand = {
		...{ v: 1, id: crypto.randomUUID(), fleet: bed.fleet, from: bed.console.keys.host, to: bed.owner.keys.host },
		...{ conversationId: "c1", actor: ACTOR, notAfter: bed.clock.now() + 60_000, frame: prompt },
		...change,
	};
	const subject = subjects.command(bed.fleet, bed.owner.keys.host);
	const body = Buffer.from(JSON.stringify(signText(signer, by, "command", JSON.stringify(command))));
	bed.bus.publish(subject, bed.sealer.seal({ context: subject, from: sealedBy, body }));
	await bed.clock.advance(1);
}
