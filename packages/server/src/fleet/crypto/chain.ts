import { hash } from "node:crypto";

/** Eight bytes over the chain before and the text of the event. In one call: it is made for every event, by its owner and by every reader. */
export const chainLink = (previous: string, frame: string): string => hash("sha256", `${previous}\n${frame}`, "hex").slice(0, 16);
