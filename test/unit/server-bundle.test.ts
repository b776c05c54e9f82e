import { readFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { rolldown } from "rolldown";
import { expect, test } from "vitest";
import { shippedPackages } from "../../scripts/lib/shipped-packages.mjs";
import { ROOT } from "./support/source-files.ts";

const SERVER = join(ROOT, "packages/server");
const MODULES = /^.*\/node_modules\/((?:@[^/]+\/)?[^/]+)\/.*$/;

/** The bundle, and what each module of it imports when it is loaded. */
async function bundleServer() {
	const { default: config } = await import(pathToFileURL(join(SERVER, "rolldown.config.mjs")).href);
	const imports = new Map<string, readonly string[]>();
	const watch = {
		name: "watch-imports",
		moduleParsed: ({ id, importedIds }: { id: string; importedIds: readonly string[] }) => void imports.set(id, importedIds),
	};
	const bundle = await rolldown({ ...config, cwd: SERVER, logLevel: "silent", plugins: [watch] });
	const { output } = await bundle.generate({ format: "esm" });
	await bundle.close();
	return { imports, modules: output.flatMap((file) => (file.type === "chunk" ? file.moduleIds : [])) };
}
const bundled = bundleServer();

test("[BN12] what every start loads beside our own code is this list; everything else comes when it is needed", async () => {
	const { imports } = await bundled;
	const [ours, libraries] = [new Set(["main.ts", "cli/start.ts"].map((name) => join(SERVER, "src/app", name))), new Set<string>()];
	for (const module of ours) {
		for (const id of imports.get(module) ?? []) {
			if (id.startsWith("node:")) continue;
			if (MODULES.test(id) || !id.startsWith("/")) libraries.add(id.replace(MODULES, "$1"));
			else ours.add(id);
		}
	}
	expect(ours.size).toBeGreaterThan(300);
	expect([...libraries].sort()).toEqual(["@github/copilot-sdk", "fastify", "pino", "uqr", "ws", "zod"]);
});

test("[PK6] every library within the bundled server is known to the notices and the bill of materials", async () => {
	const lock = JSON.parse(readFileSync(join(ROOT, "package-lock.json"), "utf8"));
	const known = new Set(shippedPackages(lock).map(({ path }) => path));
	const used = new Set(
		(await bundled).modules
			.filter((id) => MODULES.test(id))
			.map((id) => id.slice(ROOT.length + 1).replace(/^(.*node_modules\/(?:@[^/]+\/)?[^/]+)\/.*$/, "$1")),
	);
	expect(used.size).toBeGreaterThan(60);
	expect([...used].filter((path) => !known.has(path))).toEqual([]);
});
