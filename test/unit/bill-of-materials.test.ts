import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { billOfMaterials } from "../../scripts/lib/bill-of-materials.mjs";
import { shippedPackages } from "../../scripts/lib/shipped-packages.mjs";
import { ROOT } from "./support/source-files.ts";

const read = (path: string) => JSON.parse(readFileSync(join(ROOT, path), "utf8"));
const [manifest, lock] = [read("package.json"), read("package-lock.json")];
const packages = shippedPackages(lock);
const bill = billOfMaterials(manifest, packages);

test("[PK6] the bill of materials is CycloneDX 1.6: what its schema demands of every part is there", () => {
	expect(bill).toMatchObject({ bomFormat: "CycloneDX", specVersion: "1.6", version: 1 });
	expect(bill.serialNumber).toMatch(/^urn:uuid:[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/);
	expect(bill.metadata.component).toMatchObject({
		type: "application",
		name: "rightseat",
		version: manifest.version,
		purl: `pkg:npm/rightseat@${manifest.version}`,
	});
	expect(bill.components.length).toBeGreaterThan(100);
	for (const part of bill.components) {
		expect(part).toMatchObject({
			type: "library",
			name: expect.stringMatching(/^[^@/\s]+$/),
			version: expect.stringMatching(/^\d+\.\d+\.\d+/),
			scope: expect.stringMatching(/^(?:required|optional)$/),
			purl: expect.stringMatching(/^pkg:npm\/(?:%40[^/@\s]+\/)?[^/@\s]+@\d/),
			hashes: [{ alg: "SHA-512", content: expect.stringMatching(/^[0-9a-f]{128}$/) }],
		});
		const [licence] = part.licenses;
		const name = licence === undefined ? "" : "expression" in licence ? licence.expression : licence.license.id;
		expect([part.name, name]).toEqual([
			part.name,
			expect.stringMatching(
				/^(?:(?:MIT|ISC|BSD-[23]-Clause|0BSD|Apache-2\.0|MPL-2\.0|Unlicense|Python-2\.0|PSF-2\.0|BlueOak-1\.0\.0|CC0-1\.0|W3C-20150513)(?: (?:OR|AND) )?)+$/,
			),
		]);
	}
	const refs = bill.components.map((part) => part["bom-ref"]);
	expect(new Set(refs).size).toBe(refs.length);
	const known = new Set([bill.metadata.component["bom-ref"], ...refs]);
	expect(
		bill.dependencies.flatMap(({ ref, dependsOn }) => [ref, ...dependsOn]).filter((ref) => ref === undefined || !known.has(ref)),
	).toEqual([]);
	expect(bill.dependencies.length).toBe(refs.length + 1);
});

test("[PK6] the same packages give the same bytes, and another version another serial number", () => {
	expect(JSON.stringify(billOfMaterials(manifest, shippedPackages(lock)))).toBe(JSON.stringify(bill));
	expect(billOfMaterials({ ...manifest, version: "9.9.9" }, packages).serialNumber).not.toBe(bill.serialNumber);
});

test("[PK6] what is installed by npm, what is within our files and what only some platforms get are told apart", () => {
	const kinds = new Map(packages.map(({ path, kind }) => [path.replace(/^node_modules\//, ""), kind]));
	expect(Object.keys(manifest.dependencies).map((name) => kinds.get(name))).toEqual([
		"installed",
		"installed",
		"installed",
		"installed",
		"installed",
	]);
	expect(["react", "fastify", "@github/copilot-sdk", "zod", "katex"].map((name) => kinds.get(name))).toEqual([
		"bundled",
		"bundled",
		"bundled",
		"bundled",
		"bundled",
	]);
	expect(["@github/copilot-sdk-linux-x64", "@koromix/koffi-darwin-arm64"].map((name) => kinds.get(name))).toEqual(["platform", "platform"]);
	expect(["vite", "vitest", "typescript", "@tailwindcss/vite"].filter((name) => kinds.has(name))).toEqual([]);
});
