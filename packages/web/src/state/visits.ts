import * as z from "zod/mini";
import { writeStorage } from "../storage/write-storage.ts";
import type { Visit } from "./app-state.ts";

const KEY = "rightseat:visits";
/** Conversations whose last visit is remembered. */
const MAX_VISITS = 500;
const visitsSchema = z.record(z.string(), z.object({ seq: z.number(), at: z.number() }));

export function loadVisits(storage: Pick<Storage, "getItem">): Record<string, Visit> {
	try {
		return visitsSchema.parse(JSON.parse(storage.getItem(KEY) ?? "{}"));
	} catch {
		return {};
	}
}

export function saveVisits(storage: Pick<Storage, "setItem">, visits: Readonly<Record<string, Visit>>): Record<string, Visit> {
	const newest = Object.entries(visits)
		.sort(([, a], [, b]) => b.at - a.at)
		.slice(0, MAX_VISITS);
	const kept = Object.fromEntries(newest);
	writeStorage(storage, KEY, JSON.stringify(kept));
	return kept;
}
