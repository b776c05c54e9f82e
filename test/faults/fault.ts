import type { Random } from "./random.ts";
import type { World } from "./world.ts";

/** Something that goes wrong, and what puts it right again if it does not pass by itself. */
export interface Fault {
	name: string;
	/** What breaks, for the report. */
	breaks: string;
	/** Calls `struck` at the moment from which the named state is timed, if that is not the beginning. */
	inject(world: World, random: Random, struck: () => void): Promise<void> | void;
	heal?(world: World): Promise<void> | void;
}
