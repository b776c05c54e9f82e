import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach } from "vitest";
import { createPackStore } from "../blobs/pack-store.ts";
import type { OpenWindow } from "../client/tracker.ts";
import { readOuterRules } from "../ignore/outer-rules.ts";
import { listSteps } from "../index/change-rows.ts";
import { openIndex, prepareHome } from "../index/open-index.ts";
import type { ChangeDetail } from "../model.ts";
import { latin1Of } from "../paths/byte-path.ts";
import { createInotify } from "../watch/inotify.ts";
import { createRecorder, type RecorderOptions } from "./recorder.ts";
import { settleChange } from "./settle-change.ts";

export interface BedOptions extends Partial<Pick<RecorderOptions, "refused" | "maxFiles" | "maxCopyBytes" | "limits" | "progress">> {
	/** What is there before anything is recorded. */
	files?: Readonly<Record<string, string | Buffer>>;
	/** Runs in the root before the first look. */
	before?: string;
	watch?: boolean;
	maxStoreBytes?: number;
}

/** A root of its own with everything that records it, in this thread. */
export async function createRecorderBed(options: BedOptions = {}) {
	const folder = realpathSync(mkdtempSync(join(tmpdir(), "rightseat-changes-")));
	const [root, home] = [join(folder, "root"), join(folder, "home")];
	mkdirSync(root);
	for (const [path, content] of Object.entries(options.files ?? {})) write(path, content);
	if (options.before !== undefined) run(options.before);
	prepareHome(home);
	const watcher = options.watch === false ? undefined : await createInotify();
	let part = open();

	function open() {
		const { index } = openIndex(home);
		const blobs = createPackStore({
			home,
			index,
			...(options.maxStoreBytes === undefined ? {} : { maxStoreBytes: options.maxStoreBytes }),
		});
		const recorder = createRecorder({
			...{ maxFiles: 100_000, maxCopyBytes: 1e9, limits: { ms: 60_000, bytes: 1e9 }, refused: false, ...options },
			...{
				root: latin1Of(root),
				home: folder,
				index,
				blobs,
				watcher,
				now: Date.now,
				outerRules: readOuterRules(latin1Of(root), folder),
				excluded: new Set<string>(),
				own: [latin1Of(join(folder, "own/token"))],
			},
		});
		return { index, blobs, recorder };
	}
	function write(path: string, content: string | Buffer): void {
		mkdirSync(dirname(join(root, path)), { recursive: true });
		writeFileSync(join(root, path), content);
	}
	function run(script: string): string {
		return execFileSync("bash", ["-c", script], { cwd: root, encoding: "utf8", env: { ...process.env, ...GIT } });
	}
	let count = 0;
	function window(changeId: string, more: Partial<OpenWindow> = {}): OpenWindow {
		count += 1;
		return { windowId: `w${count}`, changeId, conversationId: "one", kind: "turn", cwd: root, actor: "agent-shell", label: "", ...more };
	}
	/** What happens in `work` is done while the window is open. */
	function during(changeId: string, work: string | (() => void), more: Partial<OpenWindow> = {}): void {
		const opened = window(changeId, more);
		part.recorder.openWindow(opened, undefined);
		if (typeof work === "string") run(work);
		else work();
		part.recorder.closeWindow(opened.windowId);
	}
	function settle(changeId: string): ChangeDetail | undefined {
		part.recorder.endChange(changeId);
		return settleChange(part.index, part.blobs, changeId);
	}
	return {
		...{ root, home, folder, write, run, window, during, settle },
		read: (path: string) => readFileSync(join(root, path)),
		get recorder() {
			return part.recorder;
		},
		get blobs() {
			return part.blobs;
		},
		get index() {
			return part.index;
		},
		/** The first look and the whole first copy. */
		start(): void {
			part.recorder.start();
			while (part.recorder.copy(1_000));
		},
		/** As if the process had died and another had been started. */
		restart(): void {
			part.index.close();
			part = open();
			part.recorder.start();
			while (part.recorder.copy(1_000));
		},
		/** One change by a command. */
		change(script: string, more: Partial<OpenWindow> = {}): ChangeDetail | undefined {
			count += 1;
			const changeId = `c${count}`;
			during(changeId, script, more);
			return settle(changeId);
		},
		steps: (changeId: string) => listSteps(part.index, changeId),
		close(): void {
			watcher?.close();
			part.blobs.close();
			part.index.close();
			execFileSync("chmod", ["-R", "u+rwX", folder]);
			rmSync(folder, { recursive: true, force: true });
		},
	};
}

/** Beds of one test file, each closed after its test. */
export function useRecorderBeds() {
	const open: { close(): void }[] = [];
	afterEach(() => {
		for (const bed of open.splice(0)) bed.close();
	});
	/** Nothing is looked at yet. */
	async function createBed(options: BedOptions = {}) {
		const bed = await createRecorderBed(options);
		open.push(bed);
		return bed;
	}
	/** The first look and the whole first copy are made. */
	async function startBed(options: BedOptions = {}) {
		const bed = await createBed(options);
		bed.start();
		return bed;
	}
	return { createBed, startBed };
}

/** With and without the kernel's queue. */
export const WAYS = [{ watch: true }, { watch: false }];
/** Everything in the root as a first commit. */
export const REPOSITORY = "git init -q . && git add -A && git commit -qm first";

/** `added a.txt agent-shell` and so on, in order. */
export const filesIn = (detail: ChangeDetail | undefined): string[] =>
	(detail?.files ?? []).map(({ status, path, oldPath, by, also }) =>
		[status, ...(oldPath === undefined ? [] : [oldPath]), path, by, ...(also ?? [])].join(" "),
	);

export const missedIn = (detail: ChangeDetail | undefined): string[] =>
	(detail?.notCovered ?? []).map(({ path, reason }) => `${path} ${reason}`);

/** Git without the settings of whoever runs the tests. */
const GIT = {
	...{ GIT_CONFIG_GLOBAL: "/dev/null", GIT_CONFIG_NOSYSTEM: "1", GIT_AUTHOR_NAME: "a", GIT_AUTHOR_EMAIL: "a@a", GIT_COMMITTER_NAME: "a" },
	...{ GIT_COMMITTER_EMAIL: "a@a" },
};
