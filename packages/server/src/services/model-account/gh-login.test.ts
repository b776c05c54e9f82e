import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { createGhLogin } from "./gh-login.ts";

let folder: string;
beforeEach(() => {
	folder = mkdtempSync(join(tmpdir(), "rightseat-gh-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** A `gh` that does this. */
function gh(script: string, more: Record<string, string> = {}, timeoutMs?: number) {
	writeFileSync(join(folder, "gh"), `#!/bin/sh\n${script}\n`);
	chmodSync(join(folder, "gh"), 0o755);
	return createGhLogin({ PATH: `${folder}:/usr/bin:/bin`, HOME: folder, ...more }, timeoutMs);
}

test("[AN2] whose login gh has is said without its token; gh gets no token of ours to give back, and none of our settings", async () => {
	const login = gh(
		`env > ${folder}/env; case "$1 $2" in "auth token") echo gho_0123456789; echo secret >&2;; "config get") echo ann;; esac`,
		{ GITHUB_TOKEN: "gho_ofTheServer", GH_TOKEN: "gho_another", RIGHTSEAT_TOKEN: "ours", XDG_CONFIG_HOME: folder },
	);
	expect(await login.look()).toEqual({ available: true, host: "github.com", user: "ann" });
	expect(await login.token()).toBe("gho_0123456789");
	const env = readFileSync(join(folder, "env"), "utf8");
	expect(env).toContain(`XDG_CONFIG_HOME=${folder}`);
	expect(env).not.toMatch(/GITHUB_TOKEN|GH_TOKEN|RIGHTSEAT/);
});

test("[AN3] no gh, one without a login, one that hangs, floods or talks nonsense is no login, within a bound", async () => {
	const none = { available: false, host: "github.com" };
	const missing = createGhLogin({ PATH: folder });
	expect(await missing.look()).toEqual(none);
	await expect(missing.token()).rejects.toMatchObject({ code: "provider-auth", params: { reason: "no-gh-login" } });
	expect(await gh("echo 'no oauth token found' >&2; exit 1").look()).toEqual(none);
	expect(await gh("echo two words").look()).toEqual(none);
	expect(await gh("exec sleep 60", {}, 100).look()).toEqual(none);
	expect(await gh("exec yes").look()).toEqual(none);
	expect(await gh('[ "$1" = auth ] && echo gho_0123456789 || exec yes "<b>"').look()).toEqual({ available: true, host: "github.com" });
});
