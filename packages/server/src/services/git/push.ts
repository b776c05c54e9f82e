import { readStatus } from "./read-status.ts";
import type { RunGit } from "./run-git.ts";

/** Why nothing was pushed, or no pull request opened; each has a sentence in every language. */
export const PUSH_REFUSALS = ["no-repository", "detached", "no-commit", "no-remote", "no-gh", "failed", "too-slow"] as const;
export type PushRefusalReason = (typeof PUSH_REFUSALS)[number];
export type PushOutcome =
	| { kind: "pushed"; remote: string; branch: string }
	| { kind: "refused"; reason: PushRefusalReason; detail: string };
export type PullRequestOutcome = { kind: "opened"; url: string } | { kind: "refused"; reason: PushRefusalReason; detail: string };

const PUSH_LIMIT_MS = 5 * 60_000;
const MAX_DETAIL_CHARS = 10_000;
/** A key that wants a passphrase fails at once instead of waiting for a terminal that is not there. */
const SSH = { GIT_SSH_COMMAND: "ssh -o BatchMode=yes" };

/** Pushes the branch to where it belongs, or, the first time, to `origin`. Never by force. */
export async function push(git: RunGit, cwd: string, onOutput: (text: string) => void): Promise<PushOutcome> {
	const status = await readStatus(git, cwd);
	if (status === undefined) return refused("no-repository");
	if (status.branch === null) return refused("detached");
	if (status.head === null) return refused("no-commit");
	const { branch, upstream } = status;
	const remotes = (await git({ cwd, as: "ours", args: ["remote"] })).stdout.toString("utf8").split("\n").filter(Boolean);
	const own = await git({ cwd, as: "ours", args: ["config", "--get", `branch.${branch}.remote`] });
	const remote = own.stdout.toString("utf8").trim() || (remotes.includes("origin") ? "origin" : remotes[0]);
	if (remote === undefined) return refused("no-remote");
	const args =
		upstream === null ? ["push", "--porcelain", "-u", remote, `HEAD:refs/heads/${branch}`] : ["push", "--porcelain", remote, "HEAD"];
	const custom = await git({ cwd, as: "ours", args: ["config", "--get", "core.sshCommand"] });
	const env = custom.code === 0 ? {} : SSH;
	const ended = await git({ cwd, as: "person", args, env, onOutput, limitMs: PUSH_LIMIT_MS });
	if (ended.timedOut) return refused("too-slow", String(PUSH_LIMIT_MS / 60_000));
	if (ended.code !== 0) return refused("failed", `${ended.stderr}${ended.stdout.toString("utf8")}`.trim());
	return { kind: "pushed", remote, branch };
}

/** Opens a pull request with GitHub's own program, where the person has it. That program wants the commits on the other side first. */
export async function openPullRequest(
	git: RunGit,
	{ cwd, title, body, draft }: { cwd: string; title: string; body: string; draft: boolean },
	onOutput: (text: string) => void,
): Promise<PullRequestOutcome> {
	const found = await git({ cwd, as: "person", program: "gh", args: ["--version"] });
	if (found.code === null && found.stderr.includes("ENOENT")) return refused("no-gh");
	const status = await readStatus(git, cwd);
	if (status !== undefined && (status.upstream === null || (status.ahead ?? 0) > 0)) {
		const pushed = await push(git, cwd, onOutput);
		// Where there is nothing to push to, that program says best what is missing.
		if (pushed.kind === "refused" && (pushed.reason === "failed" || pushed.reason === "too-slow")) return pushed;
	}
	const args = ["pr", "create", "--title", title, "--body", body, ...(draft ? ["--draft"] : [])];
	const ended = await git({ cwd, as: "person", program: "gh", args, onOutput, limitMs: PUSH_LIMIT_MS });
	if (ended.timedOut) return refused("too-slow", String(PUSH_LIMIT_MS / 60_000));
	if (ended.code !== 0) return refused("failed", `${ended.stderr}${ended.stdout.toString("utf8")}`.trim());
	const url = /https?:\/\/\S+/.exec(ended.stdout.toString("utf8"))?.[0];
	return url === undefined ? refused("failed", ended.stdout.toString("utf8")) : { kind: "opened", url };
}

const refused = (reason: PushRefusalReason, detail = "") => ({
	kind: "refused" as const,
	reason,
	detail: detail.slice(0, MAX_DETAIL_CHARS),
});
