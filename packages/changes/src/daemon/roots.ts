import type { NotCoveredReason } from "../model.ts";
import { latin1Of } from "../paths/byte-path.ts";
import { type FoundRoot, findRoot } from "../walk/find-root.ts";
import type { ThreadHandle } from "./thread-handle.ts";

/** A root that is recorded, with the thread that does it. */
export interface Root {
	readonly path: string;
	readonly thread: ThreadHandle;
	/** `performance.now()`. */
	usedAt: number;
	verifiedAt: number;
	/** Windows that are open in it. */
	readonly windows: Set<string>;
}

export interface RootsDeps {
	start(root: FoundRoot, onEnd: () => void): ThreadHandle;
	/** How a folder is found; may take for ever. */
	find?(cwd: string): Promise<FoundRoot>;
	limits?: Partial<typeof ROOT_LIMITS>;
	now?(): number;
}

export const ROOT_LIMITS = {
	/** Roots that are recorded at once; the longest unused goes first. */
	roots: 16,
	/** A root that nobody used for so long is let go. */
	idleMs: 30 * 60_000,
	/** A thread that gets nowhere for so long while somebody waits is given up, and its root left alone for a while. */
	stuckMs: 10_000,
	restMs: 30_000,
	/** Threads that were given up and have not ended. */
	dying: 3,
	/** Folders that were looked for and have not answered in time; then nothing new is looked for. */
	lookups: 3,
	lookupMs: 2_000,
	/** Folders whose root is remembered. */
	remembered: 500,
};

/** The roots of this server. One that does not answer costs nobody else anything. */
export interface Roots {
	/** At once when the root of the folder is known. */
	known(cwd: string): Root | undefined;
	find(cwd: string): Promise<Root | NotCoveredReason>;
	/** Also starts one by its path. */
	open(root: FoundRoot): Root | NotCoveredReason;
	list(): Root[];
	/** To be called every second. */
	sweep(): void;
	close(): void;
}

export function createRoots(deps: RootsDeps): Roots {
	const limits = { ...ROOT_LIMITS, ...deps.limits };
	const now = deps.now ?? (() => performance.now());
	const roots = new Map<string, Root>();
	const byFolder = new Map<string, FoundRoot>();
	/** Roots that did not answer, and until when they are left alone. */
	const resting = new Map<string, number>();
	const watched = new Map<ThreadHandle, { activity: number; since: number }>();
	let dying = 0;
	const lookups = new Map<string, Promise<FoundRoot | undefined>>();
	let late = 0;

	function open(found: FoundRoot): Root | NotCoveredReason {
		const known = roots.get(found.root);
		if (known !== undefined) {
			known.usedAt = now();
			return known;
		}
		if ((resting.get(found.root) ?? 0) > now() || dying >= limits.dying) return "not-answering";
		if (roots.size >= limits.roots && !letGo(limits.roots - 1, 0)) return "too-many-files";
		const thread = deps.start(found, () => {
			if (roots.get(found.root)?.thread === thread) roots.delete(found.root);
			watched.delete(thread);
		});
		const root: Root = { path: found.root, thread, usedAt: now(), verifiedAt: now(), windows: new Set() };
		roots.set(found.root, root);
		return root;
	}

	/** Closes roots that nobody works in, the longest unused first, until so many are left. */
	function letGo(left: number, unusedMs: number): boolean {
		const idle = [...roots.values()].filter(
			({ windows, thread, usedAt }) => windows.size === 0 && thread.pending === 0 && now() - usedAt >= unusedMs,
		);
		for (const root of idle.sort((a, b) => a.usedAt - b.usedAt)) {
			if (roots.size <= left) break;
			roots.delete(root.path);
			root.thread.close();
		}
		return roots.size <= left;
	}

	function giveUp(root: Root): void {
		roots.delete(root.path);
		resting.set(root.path, now() + limits.restMs);
		dying += 1;
		void root.thread.abandon().finally(() => {
			dying -= 1;
		});
	}

	/** One look for all who ask meanwhile. */
	function look(cwd: string): Promise<FoundRoot | undefined> {
		let isLate = false;
		const looked = (deps.find ?? ((folder) => findRoot(latin1Of(folder))))(cwd)
			.catch(() => undefined)
			.finally(() => {
				if (isLate) late -= 1;
			});
		const answered = within(
			looked.then((root) => ({ root })),
			limits.lookupMs,
		).then((answer) => {
			lookups.delete(cwd);
			if (answer !== undefined) return answer.root;
			isLate = true;
			late += 1;
			return undefined;
		});
		lookups.set(cwd, answered);
		return answered;
	}

	async function find(cwd: string): Promise<Root | NotCoveredReason> {
		const known = byFolder.get(cwd);
		if (known !== undefined) return open(known);
		const looked = lookups.get(cwd) ?? (late < limits.lookups ? look(cwd) : undefined);
		const found = await looked;
		if (found === undefined) return "not-answering";
		const [oldest] = byFolder.keys();
		if (byFolder.size >= limits.remembered && oldest !== undefined) byFolder.delete(oldest);
		byFolder.set(cwd, found);
		return open(found);
	}

	return {
		known(cwd) {
			const found = byFolder.get(cwd);
			const root = found && open(found);
			return typeof root === "string" ? undefined : root;
		},
		find,
		open,
		list: () => [...roots.values()],
		sweep() {
			for (const [path, until] of resting) if (until <= now()) resting.delete(path);
			for (const root of [...roots.values()]) {
				const { thread } = root;
				const before = watched.get(thread);
				const activity = thread.activity();
				if (thread.pending === 0 || before?.activity !== activity) watched.set(thread, { activity, since: now() });
				else if (now() - before.since >= limits.stuckMs) giveUp(root);
			}
			letGo(0, limits.idleMs);
		},
		close() {
			for (const { thread } of roots.values()) thread.close();
			roots.clear();
		},
	};
}

/** Undefined when it takes longer. */
export async function within<T>(work: Promise<T>, ms: number): Promise<T | undefined> {
	let timer: NodeJS.Timeout | undefined;
	const late = new Promise<undefined>((resolve) => {
		timer = setTimeout(resolve, Math.max(0, ms), undefined);
	});
	return Promise.race([work, late]).finally(() => clearTimeout(timer));
}
