import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { childEnvironment } from "./child-env.ts";
import { joinPaths, loginEnvironment } from "./login-env.ts";

test("[SH40] of the server's environment only what a terminal needs is passed on, never ours", () => {
	const env = {
		PATH: "/repo/node_modules/.bin:/usr/bin:/bin",
		HOME: "/home/u",
		LANG: "de_DE.UTF-8",
		LC_TIME: "C",
		HTTPS_PROXY: "http://p",
		GITHUB_TOKEN: "1",
		GH_TOKEN: "1",
		COPILOT_DEFAULT_MODEL: "1",
		TELEGRAM_BOT_TOKEN: "1",
		RIGHTSEAT_PROVIDER_KEY: "1",
		NODE_OPTIONS: "1",
		OPENAI_API_KEY: "1",
		npm_config_x: "1",
		BASH_ENV: "/x",
		XDG_SECRET: "1",
	};
	expect(childEnvironment(env, ["XDG_SECRET"])).toEqual({
		PATH: "/usr/bin:/bin",
		HOME: "/home/u",
		LANG: "de_DE.UTF-8",
		LC_TIME: "C",
		HTTPS_PROXY: "http://p",
	});
});

test("[SH40] the login shell's PATH comes first unless the server already has all of it", () => {
	expect(joinPaths("/usr/bin:/bin", "/home/u/bin:/usr/bin")).toBe("/home/u/bin:/usr/bin:/bin");
	expect(joinPaths("/venv/bin:/home/u/bin:/usr/bin", "/home/u/bin:/usr/bin")).toBe("/venv/bin:/home/u/bin:/usr/bin");
	expect(joinPaths("", "")).toBe("/usr/local/bin:/usr/bin:/bin");
});

test("[SH40] what a profile exports is there, our names are not, and nothing pages or colours", async () => {
	const shell = `${import.meta.dirname}/fixtures/login-shell.sh`;
	const env = await loginEnvironment({ env: { PATH: "/usr/bin:/bin", SHELL: shell }, secrets: ["MY_SECRET"], started: new Set() });
	expect(env).toMatchObject({ FROM_PROFILE: "a\nb", PATH: "/profile/bin:/usr/bin:/bin", TERM: "dumb", PAGER: "cat", LANG: "C.UTF-8" });
	expect(Object.keys(env).filter((name) => /TOKEN|SECRET|RIGHTSEAT/.test(name))).toEqual([]);
});

test("[SH40] a profile that hangs is given up, and may take its locks away", async () => {
	const started = new Set<number>();
	const directory = mkdtempSync(join(tmpdir(), "rightseat-login-"));
	const env = { PATH: "/usr/bin:/bin", SHELL: `${import.meta.dirname}/fixtures/login-shell.sh`, HOME: "hang", TMPDIR: directory };
	const began = performance.now();
	expect((await loginEnvironment({ env, secrets: [], started }, 1_000)).PATH).toBe("/usr/bin:/bin");
	expect(performance.now() - began).toBeLessThan(4_000);
	await expect.poll(() => started.size, { timeout: 8_000 }).toBe(0);
	expect(readdirSync(directory)).toEqual([]);
	rmSync(directory, { recursive: true });
});
