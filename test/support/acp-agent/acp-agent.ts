import { join } from "node:path";

const PROGRAM = join(import.meta.dirname, "agent.mjs");

/** The command that starts the scripted agent with these switches (switches.mjs lists them), as `RIGHTSEAT_AGENTS` takes one. */
export const acpAgentCommand = (...switches: string[]): [string, ...string[]] => [
	process.execPath,
	PROGRAM,
	...switches.map((name) => `--${name}`),
];
