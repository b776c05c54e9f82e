import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

/** The checkout. */
export const ROOT = join(dirname(fileURLToPath(import.meta.url)), "..", "..");
export const NODE_MODULES = join(ROOT, "node_modules");
/** Stamps, locks and reports of the scripts; never committed. */
export const CACHE = join(ROOT, ".cache");
export const SERVER_MAIN = join(ROOT, "packages", "server", "dist", "main.js");

/** @param {string} packageName @param {string} file the program's file within the package */
export const toolPath = (packageName, file) => join(NODE_MODULES, ...packageName.split("/"), file);
