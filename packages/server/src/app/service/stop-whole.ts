import { existsSync } from "node:fs";
import { CliError, EXIT } from "@rightseat/cli/cli-error";
import { findHomeOwner } from "../home/home-lock.ts";
import type { ServiceDeps } from "./service-deps.ts";

const LOOK_EVERY_MS = 200;
/** A server ends within 15 s, and a supervisor gives it 20. */
const END_LIMIT_MS = 25_000;

/** Stops the service and waits until nobody has its database open: only then it is ours. Throws CliError when somebody keeps it. */
export async function stopWhole(
	{ manager, place, time, words }: Pick<ServiceDeps, "manager" | "place" | "time" | "words">,
	findOwner: typeof findHomeOwner = findHomeOwner,
): Promise<void> {
	await manager.stop();
	const end = time.now() + END_LIMIT_MS;
	for (;;) {
		const owner = existsSync(place.home) ? findOwner(place.home) : undefined;
		if (owner === undefined) return;
		if (time.now() > end) throw new CliError(words.homeInUse(place.home, owner.process), EXIT.failed);
		await time.wait(LOOK_EVERY_MS);
	}
}
