import { constants } from "node:os";

/** The exit code by which shells tell of a signal: 128 and its number. */
export function signalCode(signal: string | null): number | null {
	if (signal === null) return null;
	const number = Object.entries(constants.signals).find(([name]) => name === signal)?.[1];
	return number === undefined ? null : 128 + number;
}
