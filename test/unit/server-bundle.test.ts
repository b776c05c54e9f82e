import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { rolldown } from "rolldown";
import { expect, test } from "vitest";

const SERVER = join(import.meta.dirname, "../../packages/server");

test("[BN12] what every start loads beside our own code is this list; everything else comes when it is needed", async () => {
	const { default: config } = await import(pathToFileURL(join(SERVER, "rolldown.config.mjs")).href);
	const bundle = await rolldown({ ...config, cwd: SERVER, logLevel: "silent" });
	const { output } = await bundle.generate({ format: "esm" });
	await bundle.close();
	const imports = new Map(output.flatMap((file) => (file.type === "chunk" ? [[file.fileName, file.imports] as const] : [])));
	const start = output.find((file) => file.type === "chunk" && file.moduleIds.some((id) => id.endsWith("/app/cli/start.ts")));
	const [loaded, libraries] = [new Set(["main.js", start?.fileName ?? ""]), new Set<string>()];
	for (const file of loaded) {
		for (const name of imports.get(file) ?? []) (imports.has(name) ? loaded : libraries).add(name);
	}
	expect([...libraries].filter((name) => !name.startsWith("node:")).sort()).toEqual([
		"@github/copilot-sdk",
		"fastify",
		"pino",
		"uqr",
		"ws",
	]);
});
