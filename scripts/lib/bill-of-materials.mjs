import { createHash } from "node:crypto";

/** @typedef {import("./shipped-packages.mjs").Shipped} Shipped */

/**
 * The software bill of materials, CycloneDX 1.6. The same packages give the same bytes: it has no time and no random number in it.
 * @param {{ name: string, version: string, license: string, description: string, dependencies?: Record<string, string> }} product
 * @param {Shipped[]} packages
 */
export function billOfMaterials(product, packages) {
	const own = purl(product.name, product.version);
	const refs = new Map(
		packages.map((each) => [
			each.path,
			each.path === `node_modules/${each.name}` ? purl(each.name, each.version) : `${purl(each.name, each.version)}#${each.path}`,
		]),
	);
	const components = packages.map((each) => component(each, refs.get(each.path) ?? ""));
	const body = {
		bomFormat: "CycloneDX",
		specVersion: "1.6",
		version: 1,
		metadata: {
			component: {
				"bom-ref": own,
				type: "application",
				name: product.name,
				version: product.version,
				description: product.description,
				licenses: licences(product.license),
				purl: own,
			},
		},
		components,
		dependencies: [
			{ ref: own, dependsOn: [...refs.values()] },
			...packages.map((each) => ({
				ref: refs.get(each.path),
				dependsOn: [...new Set(each.needs.flatMap((path) => refs.get(path) ?? []))],
			})),
		],
	};
	return { $schema: "http://cyclonedx.org/schema/bom-1.6.schema.json", serialNumber: serialNumber(body), ...body };
}

/** @param {Shipped} shipped @param {string} ref */
function component(shipped, ref) {
	const [group, name] = shipped.name.startsWith("@") ? shipped.name.split("/") : [undefined, shipped.name];
	const hash = /^sha512-(.+)$/.exec(shipped.integrity ?? "")?.[1];
	return {
		"bom-ref": ref,
		type: "library",
		...(group && { group }),
		name,
		version: shipped.version,
		scope: shipped.kind === "platform" ? "optional" : "required",
		licenses: licences(shipped.license),
		purl: purl(shipped.name, shipped.version),
		// Of the package as npm fetches it, which is what ours was made of.
		...(hash && { hashes: [{ alg: "SHA-512", content: Buffer.from(hash, "base64").toString("hex") }] }),
		properties: [{ name: "rightseat:delivery", value: shipped.kind }],
	};
}

/** @param {string} name @param {string} version */
const purl = (name, version) => `pkg:npm/${name.replace("@", "%40")}@${version}`;

/** @param {string} licence */
const licences = (licence) =>
	/[ ()]/.test(licence) ? [{ expression: licence.replace(/^\((.*)\)$/, "$1") }] : licence === "" ? [] : [{ license: { id: licence } }];

/** @param {unknown} body */
function serialNumber(body) {
	const hex = createHash("sha256").update(JSON.stringify(body)).digest("hex");
	return `urn:uuid:${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-a${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}
