import { randomBytes, timingSafeEqual } from "node:crypto";
import type { Clock } from "../../../core/kernel/clock.ts";

/** As long as asking through a slow proxy may take. */
export const TRIAL_MS = 30_000;

/** An address that somebody wants to be reached under, before it is known to lead here. */
export interface Trial {
	/** Replaces the one before. */
	begin(url: string): { nonce: string; proof: string };
	/** The proof for this nonce, while its trial goes on. */
	prove(nonce: string): string | undefined;
	/** The address on trial. */
	origin(): string | undefined;
}

/** One trial at a time, in memory. */
export function createTrial(clock: Pick<Clock, "elapsed">): Trial {
	let open: { origin: string; nonce: string; proof: string; deadline: number } | undefined;
	const current = () => (open !== undefined && open.deadline > clock.elapsed() ? open : undefined);
	return {
		begin(url) {
			const [nonce, proof] = [secret(), secret()];
			open = { origin: new URL(url).origin, nonce, proof, deadline: clock.elapsed() + TRIAL_MS };
			return { nonce, proof };
		},
		prove(nonce) {
			const trial = current();
			return trial !== undefined && isSame(nonce, trial.nonce) ? trial.proof : undefined;
		},
		origin: () => current()?.origin,
	};
}

const secret = () => randomBytes(18).toString("base64url");
const isSame = (one: string, other: string) => one.length === other.length && timingSafeEqual(Buffer.from(one), Buffer.from(other));
