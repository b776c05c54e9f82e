import type { Shown } from "./named-state.ts";
import type { Random } from "./random.ts";
import type { World } from "./world.ts";

/** Something that goes wrong, and what puts it right again if it does not pass by itself. */
export interface Fault {
	name: string;
	/** What breaks, for the report. */
	breaks: string;
	/** What people must be told, and how soon; a fault without it must pass unnoticed or end by itself. */
	shows?: readonly Shown[];
	/** It is played in a world whose conversations an agent over ACP drives; without it Copilot does. */
	pilot?: "acp";
	/** It ends the server and starts it again: not for a soak, which measures one process. */
	restarts?: boolean;
	/** Why it cannot be played here; undefined when it can. */
	missing?(world: Pick<World, "disk">): string | undefined;
	/** Calls `struck` at the moment from which the named state is timed, if that is not the beginning. */
	inject(world: World, random: Random, struck: () => void): Promise<void> | void;
	heal?(world: World): Promise<void> | void;
}
