import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { captureEnvironment, environmentText, isSecretName, readEnvironment } from "./environment-file.ts";
import { serviceWords } from "./words.ts";

let folder: string;
beforeEach(() => {
	folder = mkdtempSync(join(tmpdir(), "rightseat-env-"));
});
afterEach(() => rmSync(folder, { recursive: true }));

test.each(["en", "zh-Hant"] as const)("[SV30] every value is read back as it was, in lines that people can edit: %s", (language) => {
	const values = new Map([
		["A", "plain with spaces = and #"],
		["B", "two\nlines"],
		["C", '"quoted"'],
		["D", " around "],
		["E", "50% $HOME \\ 它"],
	]);
	const file = join(folder, "service.env");
	const words = serviceWords(language);
	writeFileSync(file, environmentText(values, words));
	expect(readEnvironment(file, words)).toEqual(values);
	expect(environmentText(values, words)).toContain("\nA=plain with spaces = and #\n");
});

test("[SV31] the start environment is PATH without the folders of npm, the language, proxies and our settings; nothing else unless it is named", () => {
	const env = {
		PATH: "/cache/_npx/1/node_modules/.bin:/home/p/.local/bin:/usr/lib/node_modules/npm/node_modules/@npmcli/run-script/lib/node-gyp-bin:/usr/bin:/usr/bin:.",
		LANG: "zh_TW.UTF-8",
		GITHUB_TOKEN: "t",
		RIGHTSEAT_HOME: "/h",
		SSH_AUTH_SOCK: "/tmp/agent",
		OPENAI_API_KEY: "k",
		PORT: " ",
	};
	expect(captureEnvironment(env, ["OPENAI_API_KEY"])).toEqual(
		new Map([
			["PATH", "/home/p/.local/bin:/usr/bin"],
			["LANG", "zh_TW.UTF-8"],
			["GITHUB_TOKEN", "t"],
			["OPENAI_API_KEY", "k"],
		]),
	);
});

test("[SV32] a value is shown only where it is known to be none: secrets, proxies and what a person added are hidden", () => {
	expect(["PATH", "PORT", "RIGHTSEAT_WORKDIR"].map(isSecretName)).toEqual([false, false, false]);
	expect(["GITHUB_TOKEN", "RIGHTSEAT_AGENTS", "HTTPS_PROXY", "MY_OWN"].map(isSecretName)).toEqual([true, true, true, true]);
});
