import { fileURLToPath } from "node:url";
import { trackerdSource } from "./fork-trackerd.ts";

/** The built program where `npm test` has built it: compiling the sources takes each process four times as long as its whole start. */
export function trackerdOfTests(): string {
	const built = fileURLToPath(new URL("../../../server/dist/trackerd.js", import.meta.url));
	return process.env.RIGHTSEAT_TEST_BUILT === "1" ? built : trackerdSource();
}
