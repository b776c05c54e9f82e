import { findProgram, unpackProgram } from "./debian-package.mjs";

const PROXIES = ["nginx", "caddy"];
const FOLDER = "proxies";

/**
 * Brings the proxies that the documentation configures: installed ones, else taken out of the distribution's packages.
 * What cannot be had is said, and its tests count as skipped.
 */
export async function ensureProxies() {
	for (const name of PROXIES) {
		if (findProxy(name) !== undefined || (await unpackProgram(name, { folder: FOLDER, purpose: "proxy tests" }))) continue;
		console.log(`SKIP ${name} is not installed and cannot be fetched: what is said about it in docs/proxies.md is not tried.`);
	}
}

/** A proxy on this machine, such as the one NGINX_PATH names. @param {string} name @returns {string | undefined} */
export const findProxy = (name) => findProgram(name, { variable: `${name.toUpperCase()}_PATH`, folder: FOLDER });
