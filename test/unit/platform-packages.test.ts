import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { unpinnedPlatforms, withPlatforms } from "../../scripts/lib/platform-packages.mjs";
import { runtimeInstall } from "../../scripts/lib/runtime-package.mjs";
import { ROOT } from "./support/source-files.ts";

const lock = JSON.parse(readFileSync(join(ROOT, "package-lock.json"), "utf8"));
const X64 = { name: "@github/copilot-sdk-linux-x64", version: lock.packages["node_modules/@github/copilot-sdk"].version };

test("[AR100] the runtime is fetched with the checksum of the lock file, which npm insists on", () => {
	const { files, args, isPinned } = runtimeInstall(X64, lock);
	expect([args, isPinned]).toEqual([["ci"], true]);
	expect(files["package-lock.json"]?.packages[`node_modules/${X64.name}`]).toMatchObject({
		version: X64.version,
		integrity: expect.stringMatching(/^sha512-/),
	});
});

test("[AR100] a runtime whose checksum is not known, or is of another version, is not called pinned", () => {
	expect(runtimeInstall({ ...X64, name: "@github/copilot-sdk-other-platform" }, lock).isPinned).toBe(false);
	expect(runtimeInstall({ ...X64, version: "0.0.1" }, lock).isPinned).toBe(false);
	expect(runtimeInstall(X64, undefined).isPinned).toBe(false);
});

test("[AR100] checksums of other platforms are added where the registry has them, and nothing else changes", () => {
	const open = unpinnedPlatforms(lock);
	expect(open.map(({ name }) => name)).not.toContain(X64.name);
	const same = withPlatforms(
		lock,
		open.map((each) => ({ ...each, found: undefined })),
	);
	expect(JSON.stringify(same)).toBe(JSON.stringify(lock));
	const name = "@github/copilot-sdk-some-platform";
	const found = { integrity: "sha512-abc", cpu: ["arm64"], os: ["darwin"], license: "MIT" };
	const more = withPlatforms(lock, [{ name, version: "1.2.3", found }]);
	expect(more.packages[`node_modules/${name}`]).toEqual({ version: "1.2.3", ...found, optional: true });
	const { [`node_modules/${name}`]: _, ...rest } = more.packages;
	expect(rest).toEqual(lock.packages);
});
