import { readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import * as z from "zod/mini";
import type { Paired, ReachStore } from "../../channels/web/reach/reach.ts";
import { writePrivately } from "./write-privately.ts";

const FILE = "reach.json";
const schema = z.object({
	way: z.enum(["tailscale", "url", "lan"]),
	url: z.string(),
	port: z.optional(z.number()),
	target: z.optional(z.string()),
});

/** What was paired for this home, as it stands on the disk. A file that nobody can read is as good as none. */
export function readPaired(home: string): Paired | undefined {
	try {
		const value: unknown = JSON.parse(readFileSync(join(home, FILE), "utf8"));
		const parsed = schema.safeParse(value);
		return parsed.success && URL.canParse(parsed.data.url) ? parsed.data : undefined;
	} catch {
		// Not there, or broken: then nothing is open.
		return undefined;
	}
}

/** `reach.json` in the home, private, and whole or not at all. */
export function createReachStore(home: string): ReachStore {
	const file = join(home, FILE);
	let current = readPaired(home);
	return {
		current: () => current,
		save(paired) {
			if (paired === undefined) rmSync(file, { force: true });
			else writePrivately(file, `${JSON.stringify(paired)}\n`);
			current = paired;
		},
	};
}
