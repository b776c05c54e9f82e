import { createHash } from "node:crypto";

/** Eight bytes over the chain before and the text of the event. */
export const chainLink = (previous: string, frame: string): string =>
	createHash("sha256").update(previous).update("\n").update(frame).digest("hex").slice(0, 16);
