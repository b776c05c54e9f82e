import { existsSync } from "node:fs";
import { join } from "node:path";
import { ROOT } from "../unit/support/source-files.ts";

/** A real agent from the npm registry, in the version that was measured. */
export interface RealAgent {
	id: string;
	name: string;
	/** What npm installs, exactly. */
	package: string;
	/** The program within its folder of packages, and its arguments. */
	command: [program: string, ...string[]];
	/** Whether the program is a script of Node. */
	isScript: boolean;
	/** It needs a newer Node than this server does: one is fetched with it. */
	needsNode22?: boolean;
	/** What points it to the scripted model, with nothing of the person's own settings; may write files into its home. */
	env(modelUrl: string, home: string): Record<string, string>;
	/** Its own tool that writes a file. */
	write: { tool: string; args(path: string, text: string): Record<string, unknown> };
	/** Its own shell, where it cannot be taken away. */
	shell?: { tool: string; args(command: string): Record<string, unknown> };
	/** Its own tool that asks the person, and the one that shows a plan; without one it has none. */
	question?: { tool: string; args(question: string, answers: string[]): Record<string, unknown> };
	plan?: { tool: string; args(steps: string[]): Record<string, unknown> };
	/** Cases, by a part of their names, that this test bed cannot try with it; the document says why. */
	leaveOut?: readonly string[];
	/** Whether its model sees our tools without searching for them. */
	seesOurTools: boolean;
}

/** Where agents and their results are kept; no part of the checkout. */
export const AGENTS_FOLDER = join(ROOT, ".cache", "agents");

/** The Node for those that need a newer one. */
const NODE_22 = `node-${process.platform}-${process.arch}`;

/** What npm fetches for an agent. */
export const packagesOf = (agent: RealAgent): string[] => [agent.package, ...(agent.needsNode22 ? [`${NODE_22}@22.23.3`] : [])];

/** Where npm puts an agent; no part of the checkout. */
export const folderOf = ({ id }: RealAgent): string => join(AGENTS_FOLDER, id);

/** The command that starts it, if it is there. */
export function commandOf(agent: RealAgent): string[] | undefined {
	const [program, ...args] = agent.command;
	const folder = join(folderOf(agent), "node_modules");
	const path = join(folder, program);
	const node = agent.needsNode22 ? join(folder, NODE_22, "bin", "node") : process.execPath;
	if (!existsSync(path) || !existsSync(node)) return undefined;
	return agent.isScript ? [node, path, ...args] : [path, ...args];
}
