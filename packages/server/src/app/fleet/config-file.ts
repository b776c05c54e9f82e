import { readFileSync } from "node:fs";
import { join } from "node:path";
import * as z from "zod/mini";
import { writePrivately } from "../reach/write-privately.ts";

/** The settings of a fleet that commands write. */
export type FleetSettings = Partial<Record<"fleetUrl" | "fleetCreds" | "fleetCa", string>>;

/** Sets these in the home's config.json, or takes out what is undefined; everything else stays as it is. Gives the file, or undefined when nothing changed. */
export function setInConfigFile(home: string, settings: FleetSettings): string | undefined {
	const file = join(home, "config.json");
	const before = readObject(file);
	const after = Object.fromEntries(Object.entries({ ...before, ...settings }).filter(([, value]) => value !== undefined));
	if (JSON.stringify(after) === JSON.stringify(before)) return undefined;
	writePrivately(file, `${JSON.stringify(after, null, "\t")}\n`);
	return file;
}

/** Whoever reads the configuration has said before if it is broken. */
function readObject(file: string): Record<string, unknown> {
	try {
		return z.record(z.string(), z.unknown()).parse(JSON.parse(readFileSync(file, "utf8")));
	} catch {
		return {};
	}
}
