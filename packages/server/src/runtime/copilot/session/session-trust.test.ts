import { expect, test } from "vitest";
import { createSessionTrust } from "./session-trust.ts";

test("[FS30] a session follows the trust of the real folder, as of the moment it is opened, and is outdated by a later word", async () => {
	const links = new Map([["/work/link", "/work/good"]]);
	const said = new Set(["/work/good"]);
	const trust = createSessionTrust({
		cwd: "/work/link",
		folders: { look: async (path) => ({ realPath: links.get(path) ?? path, isDirectory: true }) },
		trusted: { isTrusted: (path) => said.has(path) },
	});
	expect(trust.isOutdated()).toBe(false);
	expect([await trust.decide(), trust.isOutdated()]).toEqual([true, false]);
	said.delete("/work/good");
	expect(trust.isOutdated()).toBe(true);
	expect([await trust.decide(), trust.isOutdated()]).toEqual([false, false]);
	said.add("/work/good");
	expect(trust.isOutdated()).toBe(true);
	links.set("/work/link", "/work/bad");
	expect([await trust.decide(), trust.isOutdated()]).toEqual([false, false]);
});
