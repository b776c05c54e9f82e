import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

/** The checkout, or the installed package: both have the same folders. */
export const ROOT = join(dirname(fileURLToPath(import.meta.url)), "..", "..");
/** A checkout installs and builds by itself; an installed package comes built, and npm never packs a lock file. */
export const IS_CHECKOUT = existsSync(join(ROOT, "package-lock.json"));
export const NODE_MODULES = join(ROOT, "node_modules");
/** Stamps, locks and reports of the scripts; never committed. */
export const CACHE = join(ROOT, ".cache");
export const SERVER_DIST = join(ROOT, "packages", "server", "dist");
export const SERVER_MAIN = join(SERVER_DIST, "main.js");
/** What the lock file says about the agent's runtime, for an installed package, which has no lock file. */
export const RUNTIME_LOCK = join(SERVER_DIST, "runtime-lock.json");
/** The commands against a running server, without the server. */
export const CLI_MAIN = join(SERVER_DIST, "cli.js");

/** What is wrong with the arguments of a start, without starting anything. */
export const CHECK_START = join(SERVER_DIST, "check-start.js");

/** @param {string} packageName @param {string} file the program's file within the package */
export const toolPath = (packageName, file) => join(NODE_MODULES, ...packageName.split("/"), file);
