import type { Actor } from "../model.ts";

/** The time in which somebody is at work. */
export interface Window {
	readonly windowId: string;
	readonly changeId: string;
	readonly actor: Actor;
	readonly label: string;
	/** Absolute paths, latin1, that it named: these are its own. */
	readonly exact: Set<string>;
	/** Beside them whatever in the root nobody else named. */
	readonly isWhole: boolean;
	/** The last sync point before it may have begun, in milliseconds since 1970. */
	readonly since: number;
	/** Files that it named late and that were not there then: if they are still not there at its end, it may have removed them. */
	readonly doubtful: Set<string>;
}

/** How one change sees a step. */
export interface StepLink {
	readonly changeId: string;
	readonly actors: readonly Actor[];
	readonly windows: readonly string[];
}

/**
 * Who did it: the edit tools that named this very file, else every window that was open since the last sync point, else somebody outside. Nothing is
 * guessed: each change whose window was open has the step, with its own actor first. What outsiders did is told to the changes that are open.
 */
export function attribute(path: string, windows: readonly Window[], openChanges: Iterable<string>): StepLink[] {
	const named = windows.filter(({ exact }) => exact.has(path));
	const atWork = named.length > 0 ? named : windows.filter(({ isWhole }) => isWhole);
	if (atWork.length === 0) return [...openChanges].map((changeId) => ({ changeId, actors: ["outside"], windows: [] }));
	const labels = unique(atWork.map(({ label }) => label)).slice(0, MAX_LABELS);
	return unique(atWork.map(({ changeId }) => changeId)).map((changeId) => {
		const own = atWork.filter((window) => window.changeId === changeId);
		return { changeId, actors: unique([...own, ...atWork].map(({ actor }) => actor)), windows: labels };
	});
}

/** Names of windows that are kept with a step. */
export const MAX_LABELS = 8;

const unique = <T>(list: readonly T[]): T[] => [...new Set(list)];
