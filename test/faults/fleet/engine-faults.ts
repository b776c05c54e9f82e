import { remoteIdOf } from "@rightseat/protocol/fleet/ids";
import { startNats } from "../../support/nats.ts";
import { wait } from "../wait.ts";
import { NODES } from "./cluster.ts";
import type { FleetFault } from "./fault.ts";
import { asOperator, copiesOf, copyTime, managerOf } from "./operator.ts";
import type { Stage } from "./stage.ts";
import { holdersOf } from "./telegram-faults.ts";
import { hostsOf } from "./world.ts";

async function deleteStream({ world }: Stage, name: string): Promise<void> {
	await asOperator(world, async (connection) => void (await (await managerOf(connection)).streams.delete(name)));
}

/** A stream's newest number, 0 when there is no such stream. */
async function lastOf({ world }: Stage, name: string): Promise<number> {
	return await asOperator(world, async (connection) => {
		const info = await (await managerOf(connection)).streams.info(name).catch(() => undefined);
		return info === undefined ? 0 : Math.max(1, info.state.last_seq);
	});
}

const shownOn = async ({ world }: Stage) => (await hostsOf(world.seats.laptop)).map(({ name, state }) => `${name} ${state}`).join(", ");

export const ENGINE_FAULTS: readonly FleetFault[] = [
	{
		number: 10,
		breaks: "the stream of copies deleted in mid-turn",
		expected: "nobody sees it; made again ≤ 5 s; copies complete again",
		async play(stage, random) {
			stage.prompt("laptop", 300);
			await stage.midTurn(random);
			const since = Date.now();
			await deleteStream(stage, copiesOf(stage.world));
			await stage.within("the stream is there again", 5_000, async () => (await lastOf(stage, copiesOf(stage.world))) > 0);
			await stage.within("a copy is there again", 20_000, async () => (await copyTime(stage)) > since);
			await stage.idle();
			stage.measure("laptop stood still", stage.pause("laptop", since), 1_000);
		},
	},
	{
		number: 11,
		breaks: "the disk of one node wiped; of all",
		expected: "nobody sees it; copies complete again",
		async play(stage, random) {
			const { cluster } = stage.world;
			const one = random.pick(NODES);
			stage.prompt("laptop", 140);
			await stage.midTurn(random);
			await cluster.kill(one);
			cluster.wipe(one);
			await cluster.start(one);
			await stage.idle();
			stage.prompt("tower");
			for (const node of NODES) await cluster.kill(node);
			for (const node of NODES) cluster.wipe(node);
			const since = Date.now();
			for (const node of NODES) await cluster.start(node);
			stage.prompt("laptop");
			await stage.within("a copy is there again", 45_000, async () => (await copyTime(stage)) > since);
			await stage.within("every host is shown online again", 45_000, async () => !(await shownOn(stage)).includes("offline"));
		},
	},
	{
		number: 12,
		breaks: "the table of hosts deleted · the table of leases deleted",
		expected: "cards back ≤ 10 s · every host stays in its place, one Telegram holder, larger fence",
		async play(stage, random) {
			const [hosts, leases] = [`KV_RS_${stage.world.fleet}_HOSTS`, `KV_RS_${stage.world.fleet}_LEASE`];
			stage.prompt("laptop", 100);
			await stage.midTurn(random);
			await deleteStream(stage, hosts);
			await stage.within("cards and lists are back", 10_000, async () => (await lastOf(stage, hosts)) >= 6);
			await deleteStream(stage, leases);
			stage.run("tower");
			await stage.within("leases are back", 20_000, async () => (await lastOf(stage, leases)) >= 3);
			await wait(10_000);
			if ((await shownOn(stage)).includes("offline")) stage.find(`Hosts on laptop: ${await shownOn(stage)}.`);
			await stage.within("one Telegram holder", 12_000, async () => (await holdersOf(stage.world)).length === 1);
			stage.prompt("tower");
		},
	},
	{
		number: 13,
		breaks: "all copies purged while an owner is off",
		expected: "“no copy”; nothing invented",
		async play(stage) {
			const { desk, laptop } = stage.world.seats;
			stage.prompt("laptop");
			await stage.idle();
			await desk.server.kill();
			await asOperator(stage.world, async (connection) => void (await (await managerOf(connection)).streams.purge(copiesOf(stage.world))));
			// A server that has seen nothing of it.
			await laptop.restart();
			await stage.within("desk is offline on laptop", 30_000, async () =>
				(await hostsOf(laptop)).some(({ name, state }) => name === "desk" && state === "offline"),
			);
			const path = `/api/conversations/${remoteIdOf(desk.id, stage.conversationId)}/messages`;
			const answer = await laptop.server.api(path);
			const body = await answer.text();
			if (answer.status < 400) stage.find(`Without any copy the laptop answered ${answer.status}: ${body.slice(0, 200)}`);
			else stage.note(`without a copy: ${answer.status}, “${/"message":"([^"]*)"/.exec(body)?.[1] ?? ""}”`);
		},
	},
	{
		number: 14,
		breaks: "the account's storage limit too small; reached",
		expected: "refused at the start with the sum needed; live goes on",
		notPlayed: "a limit that is reached later: 4 GiB of copies are not written here",
		async play(stage) {
			const small = await startNats({ jetstream: false, config: 'jetstream { store_dir: "FOLDER/js", max_file_store: 100M }' });
			try {
				const { code, err } = await stage.world.command(stage.world.newHome(), ["init", "--name", "small"], small.url);
				if (code === 0) stage.find("A fleet was made where its streams do not fit.");
				else if (!/\d+(?:[.,]\d+)? ?(?:bytes|KiB|MiB|GiB|KB|MB|GB)/.test(err)) stage.find(`It was refused without the sum needed: ${err}`);
				else stage.note(err);
			} finally {
				await small.close();
			}
			stage.prompt("laptop");
		},
	},
	{
		number: 15,
		breaks: "the disk of one node full",
		expected: "the others go on",
		async play(stage, random) {
			const { cluster, disk } = stage.world;
			if (disk.kind === "none") return stage.skip("no small disk can be mounted here");
			stage.prompt("laptop", 200);
			await stage.midTurn(random);
			disk.fill();
			await stage.idle();
			stage.prompt("laptop");
			stage.run("tower");
			await stage.idle();
			disk.free();
			// A node that met a full disk works again after a restart.
			await cluster.kill(2);
			await cluster.start(2);
		},
	},
];
