import { execFileSync } from "node:child_process";

export interface ProcessRow {
	pid: number;
	parent: number;
	args: string;
}

export function allProcesses(): ProcessRow[] {
	return execFileSync("ps", ["-A", "-o", "pid=,ppid=,args="], { encoding: "utf8" })
		.split("\n")
		.flatMap((line): ProcessRow[] => {
			const [, pid, parent, args = ""] = /^\s*(\d+)\s+(\d+)\s+(.*)$/.exec(line) ?? [];
			return pid === undefined ? [] : [{ pid: Number(pid), parent: Number(parent), args }];
		});
}

/** Every process below this one. */
export const descendants = (root: number): ProcessRow[] => descendantsIn(allProcesses(), root);

export function descendantsIn(rows: readonly ProcessRow[], root: number): ProcessRow[] {
	const found = new Set([root]);
	for (let before = 0; before !== found.size; ) {
		before = found.size;
		for (const row of rows) if (found.has(row.parent)) found.add(row.pid);
	}
	return rows.filter((row) => found.has(row.pid) && row.pid !== root);
}

export type ProcessKind = "runtime" | "shell" | "agent" | "recorder";

export function isOfKind(kind: ProcessKind, args: string): boolean {
	switch (kind) {
		case "runtime":
			return args.includes("copilot-sdk-") || args.includes("copilot-runtime");
		case "shell":
			return args.includes("shelld");
		case "recorder":
			return args.includes("trackerd");
		case "agent":
			return args.includes("acp-agent/agent.mjs");
	}
}
