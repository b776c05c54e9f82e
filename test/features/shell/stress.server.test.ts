import { readdirSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { conversationId } from "../../../packages/server/src/core/kernel/ids.ts";
import { childrenOf, openShellBed, processesWith, type ShellBed, uniqueSeconds } from "./shell-harness.ts";

const COMMANDS = 300;
const AT_ONCE = 6;

test("[SH47] hundreds of mixed commands leave no process, no file and no open descriptor", async () => {
	const bed = await openShellBed();
	const seconds = uniqueSeconds();
	const shelld = Number(await bed.out("echo $PPID"));
	await round(bed, seconds, 20);
	const before = descriptors(shelld);
	await round(bed, seconds, COMMANDS);
	await expect.poll(() => bed.shell.jobs().filter((job) => job.status === "running")).toEqual([]);
	// The last command has been answered; its pipes and files go within a moment.
	await expect.poll(() => processesWith(`${seconds}`)).toEqual([]);
	await expect.poll(() => readdirSync(join(bed.home, "shell/run"))).toEqual([]);
	await expect.poll(() => descriptors(shelld)).toBeLessThanOrEqual(before + 2);
	await expect.poll(() => childrenOf(shelld)).toEqual([]);
	const conversations = join(bed.home, "shell/conversations");
	await Promise.all(readdirSync(conversations).map((name) => bed.shell.forget(conversationId(name))));
	expect(readdirSync(conversations)).toEqual([]);
	await bed.shell.close();
	expect(processesWith(`${seconds}`)).toEqual([]);
	await bed.close();
});

type Step = (bed: ShellBed, seconds: number, where: { conversation: ReturnType<typeof conversationId> }) => Promise<unknown>;

const STEPS: Step[] = [
	(bed, _seconds, where) => bed.call("Bash", { command: "echo hi; x=$((x + 1))" }, where),
	(bed, _seconds, where) => bed.call("Bash", { command: "seq 1 3000; exit 2" }, where),
	(bed, seconds, where) => bed.call("Bash", { command: `sleep ${seconds}`, timeout: 60 }, where),
	(bed, seconds, where) => bed.call("Bash", { command: `(setsid sleep ${seconds} &) ; sleep ${seconds}`, timeout: 60 }, where),
	(bed, _seconds, where) => bed.call("Bash", { command: "kill -9 $$" }, where),
	(bed, _seconds, where) => bed.exec("echo person; cd /usr", where),
	(bed) => bed.exec("echo nobody", { conversation: null }),
	(bed, _seconds, where) => bed.call("Bash", { command: "head -c 3000 /dev/urandom" }, where),
	async (bed, seconds, where) => {
		const { text } = await bed.call(
			"Bash",
			{ command: `sleep ${seconds} & setsid sleep ${seconds} & wait`, run_in_background: true },
			where,
		);
		return bed.call("KillBash", { bash_id: /bash_\d+/.exec(text)?.[0] ?? "none" }, where);
	},
	async (bed, seconds, where) => {
		const turn = new AbortController();
		const result = bed.call("Bash", { command: `sleep ${seconds}` }, { ...where, signal: turn.signal });
		setTimeout(() => turn.abort(), 30);
		return result;
	},
	async (bed, seconds, where) => {
		const { text } = await bed.call("Bash", { command: `sleep ${seconds} & echo left` }, where);
		return bed.call("KillBash", { bash_id: /bash_id (bash_\d+)/.exec(text)?.[1] ?? "none" }, where);
	},
	(bed, _seconds, where) => bed.call("Bash", { command: "echo short; exit 1", run_in_background: true }, where),
];

async function round(bed: ShellBed, seconds: number, count: number): Promise<void> {
	let next = 0;
	const worker = async () => {
		for (let at = next++; at < count; at = next++)
			await STEPS[at % STEPS.length]?.(bed, seconds, { conversation: conversationId(`s${at % 7}`) });
	};
	await Promise.all(Array.from({ length: AT_ONCE }, worker));
}

function descriptors(pid: number): number {
	return readdirSync(`/proc/${pid}/fd`).length;
}
