import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { ROOT } from "./lib/places.mjs";
import { unpinnedPlatforms, withPlatforms } from "./lib/platform-packages.mjs";
import { runNpm } from "./lib/run.mjs";

// Writes the checksums of the runtime's packages for all platforms into the lock file, as far as the registry in use has them.
const file = join(ROOT, "package-lock.json");
const text = readFileSync(file, "utf8");
const lock = JSON.parse(text);
const answers = [];
for (const { name, version } of unpinnedPlatforms(lock)) {
	const { code, output } = await runNpm([
		"view",
		`${name}@${version}`,
		"dist.integrity",
		"cpu",
		"os",
		"libc",
		"license",
		"--json",
		"--loglevel=silent",
	]);
	const found = code === 0 ? JSON.parse(output) : undefined;
	answers.push({ name, version, found: found && { ...found, integrity: found["dist.integrity"] } });
	console.log(`${found === undefined ? "not in this registry" : "found"}: ${name}@${version}`);
}
writeFileSync(file, `${JSON.stringify(withPlatforms(lock, answers), null, /^\{\n(\s+)/.exec(text)?.[1] ?? 2)}\n`);
