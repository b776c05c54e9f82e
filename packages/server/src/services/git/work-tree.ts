import type { RunGit } from "./run-git.ts";

/** The top folder of the work tree that a folder lies in; undefined outside of any, or when git refuses it. */
export async function workTreeOf(git: RunGit, cwd: string): Promise<string | undefined> {
	const { code, stdout } = await git({ cwd, as: "ours", args: ["rev-parse", "--show-toplevel"] });
	const root = stdout.toString("utf8").replace(/\n$/, "");
	return code === 0 && root !== "" ? root : undefined;
}
