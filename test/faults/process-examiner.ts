import { readdirSync, readFileSync, readlinkSync } from "node:fs";
import { allProcesses, descendantsIn, isOfKind, type ProcessKind, type ProcessRow } from "./processes.ts";
import { wait } from "./wait.ts";

/** What one process costs; the server's own budget has nothing to do with what it started. */
export interface Cost {
	megabytes: number;
	descriptors: number;
}

/** A kind of process in peace: how many there may be, and what each may hold. */
interface Budget extends Cost {
	count: number;
}

export type ExaminedKind = ProcessKind | "server";

export const BUDGETS: Record<ExaminedKind, Budget> = {
	server: { count: 1, megabytes: 350, descriptors: 250 },
	// One that has grown past 1,024 MB is replaced, and ends when its turns have: two for a while.
	runtime: { count: 2, megabytes: 1_200, descriptors: 400 },
	shell: { count: 1, megabytes: 250, descriptors: 250 },
	recorder: { count: 1, megabytes: 500, descriptors: 250 },
	agent: { count: 8, megabytes: 500, descriptors: 100 },
};

/** What is killed ends a moment later. */
const END_LIMIT_MS = 8_000;

export interface ProcessFacts {
	kinds: Record<ExaminedKind, readonly Cost[]>;
	/** Processes in the server's folders that are not below it. */
	strays: readonly Pick<ProcessRow, "pid" | "args">[];
}

/** Whether there are too many processes, or too large ones, or some that nobody knows. Each finding is a sentence; none is good. */
export function processFindings({ kinds, strays }: ProcessFacts): string[] {
	const kindsOf: ExaminedKind[] = ["server", "runtime", "shell", "recorder", "agent"];
	return [
		...kindsOf.flatMap((kind) => {
			const budget = BUDGETS[kind];
			const tooMany = kinds[kind].length > budget.count ? [`There are ${kinds[kind].length} processes of the kind ${kind}.`] : [];
			const large = kinds[kind].filter(({ megabytes }) => megabytes > budget.megabytes);
			const open = kinds[kind].filter(({ descriptors }) => descriptors > budget.descriptors);
			return [
				...tooMany,
				...large.map(({ megabytes }) => `The ${kind} holds ${megabytes} MB.`),
				...open.map(({ descriptors }) => `The ${kind} has ${descriptors} descriptors open.`),
			];
		}),
		...strays.map(({ pid, args }) => `The process ${pid} outlived its server: ${args.slice(0, 120)}`),
	];
}

interface Examined {
	server: { pid: number; home: string; workdir: string };
}

/** The same of a world, as soon as it is so. */
export async function examineProcesses(world: Examined): Promise<string[]> {
	const limit = Date.now() + END_LIMIT_MS;
	for (;;) {
		const findings = processFindings(processFacts(world));
		if (findings.length === 0 || Date.now() > limit) return findings;
		await wait(200);
	}
}

export function processFacts({ server }: Examined): ProcessFacts {
	const rows = allProcesses();
	const below = descendantsIn(rows, server.pid);
	const costs = (kind: ProcessKind) => below.flatMap(({ pid, args }) => (isOfKind(kind, args) ? (costOf(pid) ?? []) : []));
	// What this process started itself, such as a command line, a browser or a holder of a lock, has an owner too.
	const known = new Set([...below, ...descendantsIn(rows, process.pid)].map(({ pid }) => pid));
	const strays = rows.filter(
		({ pid }) => !known.has(pid) && pid !== server.pid && pid !== process.pid && isIn(pid, [server.home, server.workdir]),
	);
	return {
		kinds: {
			server: [costOf(server.pid) ?? []].flat(),
			...{ runtime: costs("runtime"), shell: costs("shell"), recorder: costs("recorder"), agent: costs("agent") },
		},
		strays,
	};
}

/** Undefined for one that has ended meanwhile. */
export function costOf(pid: number): Cost | undefined {
	try {
		const kilobytes = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1];
		return { megabytes: Math.round(Number(kilobytes ?? 0) / 1024), descriptors: readdirSync(`/proc/${pid}/fd`).length };
	} catch {
		return undefined;
	}
}

function isIn(pid: number, folders: readonly string[]): boolean {
	try {
		const cwd = readlinkSync(`/proc/${pid}/cwd`);
		return folders.some((folder) => cwd === folder || cwd.startsWith(`${folder}/`));
	} catch {
		return false;
	}
}
