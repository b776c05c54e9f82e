import { setTimeout as sleep } from "node:timers/promises";
import { CliError, EXIT } from "@rightseat/cli/cli-error";
import { launchdPlist } from "./launchd-plist.ts";
import type { ServiceManager, ServiceState } from "./manager.ts";
import type { RunTool, ToolResult } from "./run-tool.ts";
import type { ServicePlace } from "./service-place.ts";
import type { ServiceWords } from "./words.ts";

/** `bootout` answers before the old process is gone, and until then `bootstrap` refuses. */
const BOOTSTRAP_TRIES = 20;
const BOOTSTRAP_WAIT_MS = 1_000;

/** launchd, for the agents of a user who is logged in. */
export function createLaunchdManager(deps: {
	place: ServicePlace;
	run: RunTool;
	uid: number;
	words: ServiceWords;
	waitMs?: number;
}): ServiceManager {
	const { place, run, words, waitMs = BOOTSTRAP_WAIT_MS } = deps;
	const domain = `gui/${deps.uid}`;
	const target = `${domain}/${place.name}`;
	const refused = (args: readonly string[], result: ToolResult) =>
		new CliError(words.managerRefused(`launchctl ${args.join(" ")}`, said(result)), EXIT.failed);
	const must = async (...args: string[]) => {
		const result = await run("launchctl", args);
		if (result.code !== 0) throw refused(args, result);
	};
	const isLoaded = async () => (await run("launchctl", ["print", target])).code === 0;
	const unload = async () => {
		if (await isLoaded()) await must("bootout", target);
	};
	const load = async () => {
		const args = ["bootstrap", domain, place.definitionFile];
		for (let tries = 1; ; tries++) {
			const result = await run("launchctl", args);
			if (result.code === 0) return;
			if (tries >= BOOTSTRAP_TRIES) throw refused(args, result);
			await sleep(waitMs);
		}
	};
	return {
		async findObstacle() {
			const result = await run("launchctl", ["print", domain]);
			return result.code === 0 ? undefined : said(result);
		},
		definition: async (launch) => launchdPlist(place, launch),
		async enable() {
			await unload();
			await must("enable", target);
			await load();
		},
		restart: async () => ((await isLoaded()) ? must("kickstart", "-k", target) : load()),
		stop: unload,
		disable: unload,
		forget: async () => undefined,
		async state() {
			const { code, stdout } = await run("launchctl", ["print", target]);
			return code === 0 ? stateIn(stdout) : { state: "absent" };
		},
	};
}

/** The answer of `launchctl print` is for people; these three lines have stood in it since it exists. */
function stateIn(text: string): ServiceState {
	const pid = /^\s*pid = (\d+)/m.exec(text)?.[1];
	const state = /^\s*state = (.+)$/m.exec(text)?.[1] ?? "";
	const exit = /^\s*last exit code = (\S+)/m.exec(text)?.[1];
	const detail = exit === undefined ? state : `${state}, exit ${exit}`;
	if (pid !== undefined) return { state: "running", pid: Number(pid), detail };
	if (state === "spawn scheduled") return { state: "starting", detail };
	return { state: exit === undefined || exit === "0" || exit === "(never" ? "stopped" : "failed", detail };
}

const said = ({ code, stderr, stdout }: ToolResult) => (stderr.trim() || stdout.trim() || `exit ${code}`).replace(/\s*\n\s*/g, " ");
