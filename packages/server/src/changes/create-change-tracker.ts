import { createTracker } from "@rightseat/changes/client/create-tracker";
import { forkTrackerd } from "@rightseat/changes/client/fork-trackerd";
import type { Clock } from "../core/kernel/clock.ts";
import type { Logger } from "../core/kernel/logger.ts";
import { createProcessSupervisor, type RestartPolicy } from "../core/kernel/supervision.ts";
import type { ChangeTracker } from "../core/ports/changes.ts";
import { adaptTracker } from "./adapt-tracker.ts";

/** A recorder that fails again and again is tried less and less often, and never given up. */
const POLICY: RestartPolicy = { backoffMs: [0, 100, 500, 2_000, 10_000], windowMs: 60_000 };

/** The recorder of changes, in a process of its own that starts with the first use. */
export function createChangeTracker(deps: {
	/** Where everything that it keeps lies. */
	home: string;
	/** Files and folders that are never recorded: our own. */
	excluded: readonly string[];
	/** The program of the process. */
	entry: string;
	env: Readonly<Record<string, string>>;
	clock: Clock;
	logger: Logger;
}): ChangeTracker {
	const { home, excluded, clock, logger } = deps;
	return adaptTracker(
		createTracker({
			...{ home, excluded },
			start: (listener) => forkTrackerd(deps.entry, deps.env, listener),
			supervise: (start) => createProcessSupervisor({ policy: POLICY, clock, start }),
			after: clock.after,
			log: (fields, message) => logger.warn(fields, message),
		}),
	);
}
