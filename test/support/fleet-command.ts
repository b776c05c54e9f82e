import { tmpdir } from "node:os";
import { expect } from "vitest";
import { runFleet } from "../../packages/server/src/app/fleet/fleet-command.ts";

/** `rightseat fleet …` on a home directory, which must succeed. Gives the code that `invite` printed. */
export async function fleetCommand(home: string, env: NodeJS.ProcessEnv, ...args: string[]): Promise<string> {
	const out: string[] = [];
	const print = (line: string) => void out.push(line);
	const cli = { argv: [], env: { ...env, LANG: "C" }, cwd: tmpdir(), print, printError: print, commands: [] };
	const code = await runFleet([...args, "--home", home], cli, { person: undefined, signal: new AbortController().signal });
	expect({ args: args[0], code, said: code === 0 ? "" : out.join("\n") }).toEqual({ args: args[0], code: 0, said: "" });
	return out.find((line) => line.startsWith("rs1.")) ?? "";
}
