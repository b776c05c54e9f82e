import { existsSync, readdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { billOfMaterials } from "./bill-of-materials.mjs";
import { ROOT, RUNTIME_LOCK } from "./places.mjs";
import { Trouble } from "./progress.mjs";
import { runtimeLock } from "./runtime-package.mjs";
import { shippedPackages } from "./shipped-packages.mjs";

/** @typedef {import("./shipped-packages.mjs").Shipped} Shipped */

/** Names of the generated files at the root of the package; none is committed. */
export const NOTICES = "THIRD-PARTY-NOTICES.txt";
export const BILL = "sbom.cdx.json";

/** Writes what the package has and the checkout has not: notices, bill of materials, checksums of the runtime. */
export function writePackageFiles() {
	const lock = JSON.parse(readFileSync(join(ROOT, "package-lock.json"), "utf8"));
	const manifest = JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8"));
	const packages = shippedPackages(lock);
	put(RUNTIME_LOCK, `${JSON.stringify(runtimeLock(lock), null, "\t")}\n`);
	put(join(ROOT, BILL), `${JSON.stringify(billOfMaterials(manifest, packages), null, "\t")}\n`);
	put(join(ROOT, NOTICES), notices(packages.filter(({ kind }) => kind === "bundled")));
}

/** Whole or not at all: another pack may read it right now. @param {string} file @param {string} content */
function put(file, content) {
	if (existsSync(file) && readFileSync(file, "utf8") === content) return;
	const next = `${file}.${process.pid}`;
	writeFileSync(next, content);
	renameSync(next, file);
}

/** Each text once, below the packages that it covers. @param {Shipped[]} packages */
function notices(packages) {
	/** @type {Map<string, string[]>} */
	const covered = new Map();
	for (const each of packages) {
		const text = licenceText(each);
		covered.set(text, [...(covered.get(text) ?? []), `${each.name} ${each.version} (${each.license})`]);
	}
	const head =
		"Rightseat contains the following software of others, in its bundled server and page.\nsbom.cdx.json lists it, and what npm installs beside it, in a form for machines.\n";
	const parts = [...covered].map(([text, names]) => `${"=".repeat(78)}\n${names.join("\n")}\n${"-".repeat(78)}\n${text}\n`);
	return [head, ...parts].join("\n");
}

/** @param {Shipped} shipped */
function licenceText({ path, name, license }) {
	const folder = join(ROOT, path);
	if (!existsSync(folder)) throw new Trouble(`${name} is not installed, so its licence cannot be read. Run npm ci and pack again.`);
	const files = readdirSync(folder)
		.filter((file) => /^(?:licen[cs]e|copying|notice)(?:[-.].*)?$/i.test(file) && !/\.(?:js|json|ts)$/.test(file))
		.sort();
	if (files.length > 0) return files.map((file) => readFileSync(join(folder, file), "utf8").replaceAll("\r\n", "\n").trim()).join("\n\n");
	const manifest = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
	const author = typeof manifest.author === "string" ? manifest.author : (manifest.author?.name ?? `the authors of ${name}`);
	return `Licence: ${license}. Copyright of ${author}. The package brings no licence file.`;
}
