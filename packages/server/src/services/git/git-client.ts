import type { Cancel, Clock } from "../../core/kernel/clock.ts";
import { AppError } from "../../core/kernel/errors.ts";
import type { GitProcess, GitProcessListener } from "./fork-git-process.ts";
import { GIT_OPS, type GitAnswer, type GitAsk, type GitOp, gitReplySchema } from "./git-ops.ts";

/** Git, for the server: every call has a deadline, and none is run in the server's own process. */
export interface Git {
	/** Null: git is not there, or refuses this repository. */
	status(ask: GitAsk<"status">): Promise<GitAnswer<"status">>;
	commit(ask: GitAsk<"commit">, onOutput: (text: string) => void): Promise<GitAnswer<"commit">>;
	/** Null: nothing to compare with. */
	review(ask: GitAsk<"review">): Promise<GitAnswer<"review">>;
	/** Null: the file does not differ. */
	reviewHunks(ask: GitAsk<"review-hunks">): Promise<GitAnswer<"review-hunks">>;
	reviewContent(ask: GitAsk<"review-content">): Promise<GitAnswer<"review-content">>;
	push(ask: GitAsk<"push">, onOutput: (text: string) => void): Promise<GitAnswer<"push">>;
	pullRequest(ask: GitAsk<"pull-request">, onOutput: (text: string) => void): Promise<GitAnswer<"pull-request">>;
	addWorktree(ask: GitAsk<"worktree-add">, onOutput: (text: string) => void): Promise<GitAnswer<"worktree-add">>;
	removeWorktree(ask: GitAsk<"worktree-remove">): Promise<GitAnswer<"worktree-remove">>;
	mergeWorktree(ask: GitAsk<"worktree-merge">, onOutput: (text: string) => void): Promise<GitAnswer<"worktree-merge">>;
	worktreeState(ask: GitAsk<"worktree-state">): Promise<GitAnswer<"worktree-state">>;
	emptyTrash(ask: GitAsk<"trash-empty">): Promise<number>;
	close(): void;
}

/** A reader answers within this, or its folder does not answer. */
export const READ_DEADLINE_MS = 20_000;
/** More than any single action may take. */
const ACT_DEADLINE_MS = 15 * 60_000;
/** Reads and acts under way; beyond it people ask for more than the machine can do. */
export const MAX_GIT_CALLS = 32;
const IDLE_MS = 5 * 60_000;

export function createGitClient(deps: { clock: Clock; start(listener: GitProcessListener): GitProcess }): Git {
	const peers = new Set<Peer>();
	let reader: Peer | undefined;
	let cancelIdle: Cancel = () => undefined;
	let running = 0;
	let isClosed = false;

	function connect(): Peer {
		const peer = createPeer(deps.start, () => {
			peers.delete(peer);
			if (reader === peer) reader = undefined;
		});
		peers.add(peer);
		return peer;
	}

	async function call(peer: Peer, op: GitOp, ask: { cwd: string }, limitMs: number, onOutput: (text: string) => void): Promise<unknown> {
		running += 1;
		let isLate = false;
		const cancel = deps.clock.after(limitMs, () => {
			isLate = true;
			peer.end();
		});
		try {
			return await peer.ask(op, ask, onOutput);
		} catch (error) {
			throw isLate ? notAnswering(ask.cwd, error) : error;
		} finally {
			running -= 1;
			cancel();
		}
	}

	function check(cwd: string): void {
		if (isClosed || running >= MAX_GIT_CALLS) throw notAnswering(cwd);
	}

	/** Asks the process that all readers share. */
	async function read(op: GitOp, ask: { cwd: string }): Promise<unknown> {
		check(ask.cwd);
		cancelIdle();
		reader ??= connect();
		const answer = await call(reader, op, ask, READ_DEADLINE_MS, () => undefined);
		cancelIdle();
		if (running === 0) cancelIdle = deps.clock.after(IDLE_MS, () => reader?.end());
		return answer;
	}

	/** Runs in a process of its own, which a reader that hangs cannot take down. */
	async function act(op: GitOp, ask: { cwd: string }, onOutput: (text: string) => void): Promise<unknown> {
		check(ask.cwd);
		const peer = connect();
		try {
			return await call(peer, op, ask, ACT_DEADLINE_MS, onOutput);
		} finally {
			peer.end();
		}
	}

	return {
		status: async (ask) => GIT_OPS.status.answer.parse(await read("status", ask)),
		commit: async (ask, onOutput) => GIT_OPS.commit.answer.parse(await act("commit", ask, onOutput)),
		review: async (ask) => GIT_OPS.review.answer.parse(await read("review", ask)),
		reviewHunks: async (ask) => GIT_OPS["review-hunks"].answer.parse(await read("review-hunks", ask)),
		reviewContent: async (ask) => GIT_OPS["review-content"].answer.parse(await read("review-content", ask)),
		push: async (ask, onOutput) => GIT_OPS.push.answer.parse(await act("push", ask, onOutput)),
		pullRequest: async (ask, onOutput) => GIT_OPS["pull-request"].answer.parse(await act("pull-request", ask, onOutput)),
		addWorktree: async (ask, onOutput) => GIT_OPS["worktree-add"].answer.parse(await act("worktree-add", ask, onOutput)),
		removeWorktree: async (ask) => GIT_OPS["worktree-remove"].answer.parse(await act("worktree-remove", ask, () => undefined)),
		mergeWorktree: async (ask, onOutput) => GIT_OPS["worktree-merge"].answer.parse(await act("worktree-merge", ask, onOutput)),
		worktreeState: async (ask) => GIT_OPS["worktree-state"].answer.parse(await read("worktree-state", ask)),
		emptyTrash: async (ask) => GIT_OPS["trash-empty"].answer.parse(await act("trash-empty", ask, () => undefined)),
		close() {
			isClosed = true;
			cancelIdle();
			for (const peer of [...peers]) peer.end();
		},
	};
}

interface Peer {
	ask(op: GitOp, ask: object, onOutput: (text: string) => void): Promise<unknown>;
	end(): void;
}

function createPeer(start: (listener: GitProcessListener) => GitProcess, onExit: () => void): Peer {
	const calls = new Map<number, { resolve(answer: unknown): void; reject(error: Error): void; output(text: string): void }>();
	let ids = 0;
	const child = start({
		message(message) {
			const parsed = gitReplySchema.safeParse(message);
			const call = parsed.success ? calls.get(parsed.data.id) : undefined;
			if (!parsed.success || call === undefined) return;
			const reply = parsed.data;
			if (reply.kind === "output") return call.output(reply.text);
			calls.delete(reply.id);
			if (reply.kind === "answer") call.resolve(reply.answer);
			else call.reject(new AppError("internal", "Git could not be asked. The log has the details.", { cause: reply.message }));
		},
		exit() {
			onExit();
			for (const call of calls.values()) call.reject(new AppError("git-failed", GONE, { retryable: true, params: { reason: "process" } }));
			calls.clear();
		},
	});
	return {
		ask(op, ask, output) {
			return new Promise((resolve, reject) => {
				const id = ++ids;
				calls.set(id, { resolve, reject, output });
				child.send({ id, op, ask });
			});
		},
		end: () => child.kill(),
	};
}

const GONE = "The process that runs git ended before it answered. Look at the repository, then try again.";
const notAnswering = (path: string, cause?: unknown) =>
	new AppError(
		"folder-not-answering",
		`${path} does not answer. If it lies on a network or removable disk, look at that, then try again.`,
		{
			...{ cause, retryable: true, params: { path } },
		},
	);
