import { basename, delimiter, dirname, isAbsolute } from "node:path";
import type { Clock } from "../../core/kernel/clock.ts";
import { settlesInTime } from "../../core/kernel/with-timeout.ts";
import type { Program, Programs } from "../../core/ports/programs.ts";

/** What a look along `PATH` found. */
export interface FoundPrograms {
	/** By what was asked for. */
	readonly found: ReadonlyMap<string, Program>;
	/** Every directory answered: what was not found is not there. */
	readonly complete: boolean;
}

/** Somebody waits for the list; a directory that needs longer is told of when it answers. */
export const FIND_LIMIT_MS = 2_000;
/** Directories of `PATH` that are looked at. */
export const MAX_PATH_DIRECTORIES = 64;

/**
 * Looks for programs by name along `PATH`, the first directory first, and by absolute path. Starts nothing, and is done in time also
 * when a directory never answers; `onLater` gets everything anew for each that answers after that. A directory that is not absolute is left out: what lies where somebody works is not theirs to run.
 */
export async function findPrograms(
	wanted: readonly string[],
	{ path, programs, clock, onLater }: { path: string; programs: Programs; clock: Clock; onLater?: (all: FoundPrograms) => void },
): Promise<FoundPrograms> {
	const places = placesOf(wanted, path);
	const answers: (readonly Program[] | undefined)[] = places.map(() => undefined);
	let isLate = false;
	const looks = places.map(async ({ directory, names }, at) => {
		answers[at] = await programs.programs(directory, names).catch(() => undefined);
		if (isLate && answers[at] !== undefined) onLater?.(joined(places, answers));
	});
	isLate = !(await settlesInTime(clock, FIND_LIMIT_MS, Promise.all(looks)));
	return joined(places, answers);
}

function joined(places: readonly Place[], answers: readonly (readonly Program[] | undefined)[]): FoundPrograms {
	const found = new Map<string, Program>();
	for (const [at, { absolute }] of places.entries()) {
		for (const program of answers[at] ?? []) {
			const key = absolute ? program.path : program.name;
			if (!found.has(key)) found.set(key, program);
		}
	}
	return { found, complete: answers.every((answer) => answer !== undefined) };
}

interface Place {
	directory: string;
	names: string[];
	/** Asked for by their whole paths. */
	absolute: boolean;
}

function placesOf(wanted: readonly string[], path: string): Place[] {
	const named = [...new Set(wanted.filter((program) => basename(program) === program))];
	const all = path.split(delimiter).filter((directory) => isAbsolute(directory) && !isOfPackage(directory));
	const directories = [...new Set(all)].slice(0, MAX_PATH_DIRECTORIES);
	const whole = wanted.filter(isAbsolute).map((program) => ({ directory: dirname(program), names: [basename(program)], absolute: true }));
	return named.length === 0 ? whole : [...directories.map((directory) => ({ directory, names: named, absolute: false })), ...whole];
}

/** `npm start` puts these in front; an agent is started without them, as from a person's own terminal. */
const isOfPackage = (directory: string) => directory.endsWith("/node_modules/.bin");
