import { expect, test } from "vitest";
import { checkInstall } from "./check-install.ts";
import { refuseTemporaryPlace } from "./plan-install.ts";
import { serviceWords } from "./words.ts";

test("[SV79] what npx runs is no place for a service: the line names it and says how to install Rightseat first", () => {
	const place = "/home/p/.npm/_npx/1f2e/node_modules/rightseat/scripts/rightseat.mjs";
	const launch = { program: "/usr/bin/node", args: [place, "service", "run", "--home", "/home/p/.rightseat"] };
	for (const language of ["en", "zh-Hant"] as const) {
		const refuse = () => refuseTemporaryPlace({ launch, words: serviceWords(language) });
		expect(refuse).toThrow(place);
		expect(refuse).toThrow(/npm install --global rightseat.+rightseat service install/);
		expect(refuse).not.toThrow(/--home/);
	}
	const installed = { program: "/usr/bin/node", args: ["/usr/lib/node_modules/rightseat/scripts/rightseat.mjs"] };
	expect(() => refuseTemporaryPlace({ launch: installed, words: serviceWords("en") })).not.toThrow();
});

test.skipIf(process.platform === "win32")("[SV5] what install would refuse about its arguments is told without changing anything", () => {
	const env = { RIGHTSEAT_HOME: "/nowhere/.rightseat", HOME: "/nowhere" };
	expect(checkInstall([], env, "/")).toBeUndefined();
	expect(checkInstall(["--port", "many"], env, "/")).toMatch(/^rightseat service: .*port/i);
	expect(checkInstall(["--env", "NOT_SET"], env, "/")).toMatch(/^rightseat service: --env NOT_SET: /);
	expect(checkInstall(["--home"], env, "/")).toMatch(/^rightseat service: --home /);
});
