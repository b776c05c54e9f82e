import { cpSync, existsSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { COMMAND_LIFE_MS } from "@rightseat/protocol/fleet/command";
import { backupPath, markAsBackup } from "../../../packages/server/src/store/backup/backup-files.ts";
import { loadSqlite } from "../../../packages/server/src/store/sqlite/sqlite-loader.ts";
import { sendSignal } from "../send-signal.ts";
import { wait } from "../wait.ts";
import type { FleetFault } from "./fault.ts";
import type { Stage } from "./stage.ts";
import { hostsOf, type Seat } from "./world.ts";

const DATABASE = "rightseat.db";
const HOURS_4_MS = 4 * 3_600_000;

/** The database's files as they are now. */
function takeFiles({ home }: Seat, to: string): void {
	for (const name of readdirSync(home)) if (name.startsWith(DATABASE)) cpSync(join(home, name), join(to, name));
}

function putFiles({ home }: Seat, from: string): void {
	for (const name of readdirSync(home)) if (name.startsWith(DATABASE)) rmSync(join(home, name));
	for (const name of readdirSync(from)) if (name.startsWith(DATABASE)) cpSync(join(from, name), join(home, name));
}

/** A backup such as the server makes once a day. */
function backUp({ home }: Seat, folder: string): string {
	const path = backupPath(folder, Date.now(), "daily");
	const engine = loadSqlite();
	const source = new engine.module.DatabaseSync(join(home, DATABASE), { timeout: 5_000 });
	try {
		source.exec(`VACUUM INTO '${path}'`);
	} finally {
		source.close();
	}
	markAsBackup(engine, path);
	return path;
}

/** What was said since then is gone, and other words are said instead. */
async function goOn(stage: Stage, lost: readonly string[]): Promise<void> {
	for (const id of lost) stage.mayBeLost.add(id);
	await stage.world.seats.desk.restart();
	await stage.within("desk is online on laptop again", 30_000, async () =>
		(await hostsOf(stage.world.seats.laptop)).some(({ name, state }) => name === "desk" && state === "online"),
	);
	stage.prompt("laptop");
	await stage.idle();
}

export const OWNER_FAULTS: readonly FleetFault[] = [
	{
		number: 16,
		breaks: "kill -9 the owner in mid-turn, restart",
		expected: "one interrupted end on every console",
		async play(stage, random) {
			stage.prompt("laptop", 200);
			await stage.midTurn(random);
			await stage.world.seats.desk.server.kill();
			await stage.world.seats.desk.restart();
			await stage.idle();
			for (const name of ["laptop", "tower"] as const) {
				const { view, heard, snapshots } = stage.pages[name];
				await stage.within(`the end is shown on ${name}`, 20_000, () => view.unfinished === "");
				const told = heard.filter((frame) => frame.type === "copilot:idle" && frame.data.outcome === "interrupted").length;
				// Also a snapshot tells it.
				if (told > 1 || (told === 0 && snapshots() < 2)) stage.find(`${name} was told ${told} interrupted ends.`);
			}
		},
	},
	{
		number: 17,
		breaks: "the owner restores a backup",
		expected: "new epoch everywhere, snapshot",
		async play(stage) {
			const { desk } = stage.world.seats;
			stage.prompt("laptop");
			await stage.idle();
			const epoch = stage.pages.laptop.view.position.epoch;
			const path = backUp(desk, stage.world.newHome());
			const lost = [stage.prompt("laptop"), stage.prompt("tower")];
			await stage.idle();
			await desk.server.kill();
			for (const name of readdirSync(desk.home)) if (name.startsWith(DATABASE)) rmSync(join(desk.home, name));
			cpSync(path, join(desk.home, DATABASE));
			await goOn(stage, lost);
			await stage.within("new epoch on laptop", 10_000, () => ![undefined, epoch].includes(stage.pages.laptop.view.position.epoch));
		},
	},
	{
		number: 18,
		breaks: "the owner's machine rolled back while it ran",
		expected: "its other words replace what was shown, and the page is told",
		async play(stage) {
			const { desk } = stage.world.seats;
			stage.prompt("laptop");
			await stage.idle();
			const folder = stage.world.newHome();
			sendSignal([desk.server.pid], "SIGSTOP");
			takeFiles(desk, folder);
			sendSignal([desk.server.pid], "SIGCONT");
			const lost = [stage.prompt("laptop"), stage.prompt("tower")];
			await stage.idle();
			const before = stage.pages.laptop.snapshots();
			await desk.server.kill();
			putFiles(desk, folder);
			await goOn(stage, lost);
			await stage.within("laptop is given the other history", 10_000, () => stage.pages.laptop.snapshots() > before);
			if (!existsSync(join(folder, DATABASE))) stage.find("Nothing was rolled back: the round proves nothing.");
		},
	},
	{
		number: 19,
		breaks: "the owner asleep for 4 h with a prompt under way",
		expected: "it is not run when it wakes; a person is asked",
		async play(stage) {
			const { desk, laptop, tower } = stage.world.seats;
			sendSignal([desk.server.pid], "SIGSTOP");
			const id = stage.prompt("laptop");
			await stage.within("the prompt waits in the outbox, sent and without an answer,", 40_000, async () => {
				const [item] = (await (await laptop.server.api("/api/outbox")).json()).items;
				return item?.id === id && item.state !== "sending";
			});
			// Its own clock goes on while it is stopped: longer than a command lives is as good as four hours. For the consoles it must be that long.
			await wait(COMMAND_LIFE_MS);
			for (const seat of [laptop, tower]) seat.shiftClock(HOURS_4_MS);
			sendSignal([desk.server.pid], "SIGCONT");
			await stage.within("a person is asked", 40_000, async () => {
				const [item] = (await (await laptop.server.api("/api/outbox")).json()).items;
				return item?.state === "asking";
			});
			await wait(5_000);
			const ran = stage.pages.desk.view.lines.includes(`user: ${id}`);
			if (ran) stage.find("What was sent before the owner slept ran when it woke.");
			const confirmed = await laptop.server.api(`/api/outbox/${id}/confirm`, { method: "POST" });
			if (!ran && confirmed.status !== 204) stage.find(`The prompt could not be confirmed: ${confirmed.status}.`);
			await stage.within("it ran after the person said so", 30_000, () => stage.pages.desk.view.lines.includes(`user: ${id}`));
			await stage.idle();
			// Clocks are right again.
			for (const seat of [desk, laptop, tower]) await seat.restart();
		},
	},
];
