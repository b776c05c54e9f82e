import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { doctorCommand } from "../cli/server-commands.ts";
import { withServiceSettings } from "./service-settings.ts";

let home: string;
beforeEach(() => {
	home = mkdtempSync(join(tmpdir(), "rightseat-doctor-"));
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

const settings = (text: string) => writeFileSync(join(home, "service.env"), text, { mode: 0o600 });
const look = (env: NodeJS.ProcessEnv) => withServiceSettings([], { RIGHTSEAT_HOME: home, PATH: "/bin", ...env }, "/");

test("[CF480] the settings and the PATH of a service stand in for those of the shell, except what is set there", () => {
	settings("# of the service\nPATH=/opt/agents:/bin\nPORT=7500\nRIGHTSEAT_PROVIDER_URL=http://127.0.0.1:9/v1\n");
	const { env, finding } = look({ PORT: "7600", OTHER: "stays" });
	expect(env).toEqual({
		RIGHTSEAT_HOME: home,
		PATH: "/opt/agents:/bin",
		PORT: "7600",
		OTHER: "stays",
		RIGHTSEAT_PROVIDER_URL: "http://127.0.0.1:9/v1",
	});
	expect(finding).toMatchObject({ level: "ok", subject: "service" });
});

test("[CF480] without a service the shell's are used and nothing is said", () => {
	expect(look({ PORT: "7600" })).toEqual({ env: { RIGHTSEAT_HOME: home, PATH: "/bin", PORT: "7600" } });
});

test("[CF480] a line that says nothing is named without its content, and is in the way", async () => {
	settings("PORT=0\nthis is a secret\n");
	const lines: string[] = [];
	const env: NodeJS.ProcessEnv = { RIGHTSEAT_HOME: home, PATH: process.env.PATH, PORT: "0", RIGHTSEAT_PROVIDER_KEY: "secret-key" };
	const deps = {
		argv: [],
		env,
		cwd: home,
		commands: [],
		print: (line: string) => lines.push(line),
		printError: (line: string) => lines.push(line),
	};
	expect(await doctorCommand.run([], deps)).toBe(1);
	expect(lines[0]).toMatch(/^error +service: line 2 of .+service\.env is not NAME=VALUE\. /);
	expect(lines.join("\n")).not.toContain("secret");
	expect(env).not.toHaveProperty("RIGHTSEAT_PROVIDER_KEY");
});
