// @vitest-environment happy-dom
import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { launchdPlist } from "../../../packages/server/src/app/service/launchd-plist.ts";
import { servicePlace } from "../../../packages/server/src/app/service/service-place.ts";
import { systemdUnit } from "../../../packages/server/src/app/service/systemd-unit.ts";
import { readUnit } from "../../support/stand-in-systemd/read-unit.mjs";

const place = (home: string) => servicePlace(home, { userHome: "/home/person", env: {}, supervisor: "systemd" });
const AWKWARD = ["service", 'a "b"', "c\\d", "$HOME", "100%h", "e f", "它"];

function writeUnit(options: { version: number; strict: boolean }) {
	const folder = mkdtempSync(join(tmpdir(), "rightseat-unit-"));
	mkdirSync(join(folder, "run"), { mode: 0o700 });
	const file = join(folder, "rightseat.service");
	writeFileSync(file, systemdUnit(place("/home/person/50% of it"), { launch: { program: process.execPath, args: AWKWARD }, ...options }));
	return { folder, file };
}

test("[SV20] what the unit starts is read back word by word, whatever stands in it", () => {
	const { folder, file } = writeUnit({ version: 255, strict: false });
	expect(readUnit(file)).toMatchObject({
		words: [process.execPath, ...AWKWARD],
		output: "/home/person/50% of it/logs/service.log",
		restartMs: 1_000,
		neverAfter: [2],
	});
	rmSync(folder, { recursive: true });
});

test("[SV21] jobs end with the service, a killed build does not end it, and wrong settings are not tried again", () => {
	const text = systemdUnit(place("/home/person/.rightseat"), { launch: { program: "/n", args: [] }, version: 252, strict: false });
	for (const line of ["KillMode=mixed", "TimeoutStopSec=20s", "OOMPolicy=continue", "Restart=on-failure", "RestartPreventExitStatus=2"])
		expect(text.split("\n")).toContain(line);
	expect(text).not.toMatch(/^(?:Environment|NoNewPrivileges|RestartSteps)/m);
});

const hasAnalyze = spawnSync("systemd-analyze", ["--version"]).status === 0;

test.skipIf(!hasAnalyze).each([{ strict: false }, { strict: true }])(
	"[SV22] systemd's own check finds nothing to say: %j",
	({ strict }) => {
		const { folder, file } = writeUnit({ version: 252, strict });
		const env = { PATH: process.env.PATH, HOME: folder, XDG_RUNTIME_DIR: join(folder, "run") };
		const verify = () => spawnSync("systemd-analyze", ["--user", "--man=no", "verify", file], { env, encoding: "utf8" });
		const { status, stderr } = verify();
		expect([status, stderr]).toEqual([0, ""]);
		writeFileSync(file, "[Service]\nExecStart=/bin/true\nNoSuchKey=1\n");
		expect(verify().stderr).toContain("NoSuchKey");
		rmSync(folder, { recursive: true });
	},
);

test("[SV23] every home has a service of its own name", () => {
	expect(place("/home/person/.rightseat").name).toBe("rightseat");
	const [a, b] = [place("/srv/a"), place("/srv/b")];
	expect(a.name).toMatch(/^rightseat-[0-9a-f]{8}$/);
	expect(a.name).not.toBe(b.name);
	const elsewhere = servicePlace("/srv/a", { userHome: "/home/person", env: { XDG_CONFIG_HOME: "/conf" }, supervisor: "systemd" });
	expect(elsewhere.definitionFile).toBe(`/conf/systemd/user/${a.name}.service`);
});

const agent = servicePlace("/Users/person/a & b/<home>", { userHome: "/Users/person", env: {}, supervisor: "launchd" });
const launch = { program: "/opt/node", args: ["main.js", "service", "run", "--home", "/Users/person/a & b/<home>"] };

/** A property list as plain values; throws for what is none. */
function parsePlist(text: string): unknown {
	const xml = new DOMParser().parseFromString(text.replace(/<!DOCTYPE[^>]*>\n/, ""), "application/xml");
	expect(xml.querySelector("parsererror")).toBeNull();
	const root = xml.querySelector("plist > dict");
	if (root === null) throw new Error("no dict");
	return plainValue(root);
}

function plainValue(element: Element): unknown {
	const children = [...element.children];
	switch (element.tagName) {
		case "dict":
			return Object.fromEntries(
				children.flatMap((child, index) => {
					const value = children[index + 1];
					return child.tagName === "key" && value !== undefined ? [[child.textContent, plainValue(value)]] : [];
				}),
			);
		case "array":
			return children.map(plainValue);
		case "true":
		case "false":
			return element.tagName === "true";
		case "integer":
			return Number(element.textContent);
		default:
			return element.textContent;
	}
}

test("[SV24] the launchd agent is a property list that says the same: program, restart after failures only, time to end, private output", () => {
	expect(parsePlist(launchdPlist(agent, launch))).toEqual({
		Label: agent.name,
		ProgramArguments: [launch.program, ...launch.args],
		WorkingDirectory: "/Users/person",
		RunAtLoad: true,
		KeepAlive: { SuccessfulExit: false },
		ThrottleInterval: 10,
		ExitTimeOut: 20,
		ProcessType: "Interactive",
		StandardOutPath: agent.outputFile,
		StandardErrorPath: agent.outputFile,
	});
	expect(agent.definitionFile).toBe(`/Users/person/Library/LaunchAgents/${agent.name}.plist`);
});
