import { findProgram, unpackProgram } from "./debian-package.mjs";
import { Trouble } from "./progress.mjs";

const NAME = "nats-server";
const FOLDER = "nats";

/** A NATS server for the tests of the fleet: the one NATS_SERVER_PATH names, one that is installed, or one that was fetched. @returns {string | undefined} */
export const findNatsServer = () => findProgram(NAME, { variable: "NATS_SERVER_PATH", folder: FOLDER });

/** Finds one, or takes one out of the distribution's package. Where tests must not be left out, that there is none is an error. */
export async function ensureNatsServer() {
	if (findNatsServer() !== undefined || (await unpackProgram(NAME, { folder: FOLDER, purpose: "tests of the fleet" }))) return;
	const sentence = "nats-server is not installed and cannot be fetched. Install it, or set NATS_SERVER_PATH to one.";
	if (process.env.CI !== undefined && process.env.CI !== "") throw new Trouble(sentence);
	console.log(`SKIP ${sentence} The tests of the fleet over NATS count as skipped.`);
}
