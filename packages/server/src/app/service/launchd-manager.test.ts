import { expect, test } from "vitest";
import { createLaunchdManager } from "./launchd-manager.ts";
import type { ToolResult } from "./run-tool.ts";
import { servicePlace } from "./service-place.ts";
import { serviceWords } from "./words.ts";

const place = servicePlace("/Users/person/a & b/<home>", { userHome: "/Users/person", env: {}, supervisor: "launchd" });

/** A launchd with the answers of the real one. */
function createLaunchctl({ refusals = 0 } = {}) {
	const calls: string[] = [];
	let print = "";
	let left = refusals;
	const answer = (code: number, text = ""): ToolResult => ({ code, stdout: code === 0 ? text : "", stderr: code === 0 ? "" : text });
	async function run(_: string, args: readonly string[]): Promise<ToolResult> {
		if (args[0] === "print" && args[1] === "gui/501") return answer(0);
		if (args[0] === "print") return print === "" ? answer(113, "Could not find service") : answer(0, print);
		calls.push(args.join(" "));
		if (args[0] === "bootstrap" && left-- > 0) return answer(5, "Bootstrap failed: 5: Input/output error");
		if (args[0] === "bootstrap") print = "\tstate = running\n\tpid = 42\n\tlast exit code = (never exited)\n";
		if (args[0] === "bootout") print = "";
		return answer(0);
	}
	const says = (text: string) => {
		print = text;
	};
	const manager = createLaunchdManager({ place, run, uid: 501, words: serviceWords("en"), waitMs: 0 });
	return { manager, calls, says };
}

test("[SV25] launchd loads the agent anew, waiting for the old one to go, and unloads it", async () => {
	const { manager, calls } = createLaunchctl({ refusals: 2 });
	await manager.enable();
	await manager.enable();
	await manager.restart();
	await manager.disable();
	await manager.disable();
	const target = `gui/501/${place.name}`;
	const bootstrap = `bootstrap gui/501 ${place.definitionFile}`;
	expect(calls).toEqual([
		...[`enable ${target}`, bootstrap, bootstrap, bootstrap],
		...[`bootout ${target}`, `enable ${target}`, bootstrap],
		...[`kickstart -k ${target}`, `bootout ${target}`],
	]);
});

test.each([
	["\tstate = running\n\tpid = 42\n", { state: "running", pid: 42 }],
	["\tstate = spawn scheduled\n\tlast exit code = 1\n", { state: "starting" }],
	["\tstate = not running\n\tlast exit code = 2\n", { state: "failed", detail: "not running, exit 2" }],
	["\tstate = not running\n\tlast exit code = 0\n", { state: "stopped" }],
	["", { state: "absent" }],
])("[SV26] what launchd says is understood: %j", async (text, expected) => {
	const { manager, says } = createLaunchctl();
	says(text);
	expect(await manager.state()).toMatchObject(expected);
});
