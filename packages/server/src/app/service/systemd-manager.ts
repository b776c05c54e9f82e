import { CliError, EXIT } from "@rightseat/cli/cli-error";
import type { ServiceManager, ServiceState } from "./manager.ts";
import type { RunTool, ToolResult } from "./run-tool.ts";
import type { ServicePlace } from "./service-place.ts";
import { systemdUnit } from "./systemd-unit.ts";
import type { ServiceWords } from "./words.ts";

/** systemd's manager of this user. */
export function createSystemdManager(deps: { place: ServicePlace; run: RunTool; user: string; words: ServiceWords }): ServiceManager {
	const { place, run, user, words } = deps;
	const unit = `${place.name}.service`;
	const systemctl = (...args: string[]) => run("systemctl", ["--user", ...args]);
	const must = async (...args: string[]) => {
		const result = await systemctl(...args);
		if (result.code !== 0) throw new CliError(words.managerRefused(`systemctl --user ${args.join(" ")}`, said(result)), EXIT.failed);
	};
	return {
		async findObstacle() {
			const result = await systemctl("show", "--property=Version");
			return result.code === 0 && versionIn(result.stdout) !== undefined ? undefined : said(result);
		},
		async definition(launch, { strict }) {
			const { stdout } = await systemctl("show", "--property=Version");
			return systemdUnit(place, { launch, version: versionIn(stdout) ?? 0, strict });
		},
		async enable() {
			await must("daemon-reload");
			await must("enable", unit);
			await must("restart", unit);
		},
		restart: () => must("restart", unit),
		stop: () => must("stop", unit),
		async disable() {
			if ((await stateOf(systemctl, unit)).state !== "absent") await must("disable", "--now", unit);
		},
		async forget() {
			await must("daemon-reload");
			await systemctl("reset-failed", unit);
		},
		state: () => stateOf(systemctl, unit),
		linger: {
			async isOn() {
				const { code, stdout } = await run("loginctl", ["show-user", user, "--property=Linger", "--value"]);
				return code === 0 ? stdout.trim() === "yes" : undefined;
			},
			async turnOn() {
				const result = await run("loginctl", ["enable-linger", user]);
				if (result.code !== 0) throw new CliError(words.managerRefused(`loginctl enable-linger ${user}`, said(result)), EXIT.failed);
			},
		},
	};
}

const PROPERTIES = "--property=LoadState,ActiveState,SubState,MainPID,Result,ExecMainStatus";

async function stateOf(systemctl: (...args: string[]) => Promise<ToolResult>, unit: string): Promise<ServiceState> {
	const { stdout } = await systemctl("show", unit, PROPERTIES);
	const fields = new Map(stdout.split("\n").map((line) => splitOnce(line)));
	if (fields.get("LoadState") !== "loaded") return { state: "absent" };
	const pid = Number(fields.get("MainPID") ?? 0);
	const detail = `${fields.get("ActiveState")}/${fields.get("SubState")}, ${fields.get("Result")}, exit ${fields.get("ExecMainStatus")}`;
	switch (fields.get("ActiveState")) {
		case "active":
			return { state: "running", pid, detail };
		case "activating":
		case "deactivating":
		case "reloading":
			return { state: "starting", detail };
		case "failed":
			return { state: "failed", detail };
		default:
			return { state: "stopped", detail };
	}
}

function splitOnce(line: string): [string, string] {
	const at = line.indexOf("=");
	return [line.slice(0, at), line.slice(at + 1).trim()];
}

/** `Version=252.38-1~deb12u1` or `Version=v256`. */
function versionIn(stdout: string): number | undefined {
	const version = /^Version=\D*(\d+)/m.exec(stdout)?.[1];
	return version === undefined ? undefined : Number(version);
}

const said = ({ code, stderr, stdout }: ToolResult) => (stderr.trim() || stdout.trim() || `exit ${code}`).replace(/\s*\n\s*/g, " ");
