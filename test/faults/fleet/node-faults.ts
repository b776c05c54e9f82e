import type { Random } from "../random.ts";
import { wait } from "../wait.ts";
import { NODES, type NodeIndex } from "./cluster.ts";
import type { FleetFault } from "./fault.ts";
import { copyTime, leaderOf } from "./operator.ts";
import type { Stage } from "./stage.ts";
import { hostsOf } from "./world.ts";

const PAUSE_MS = 1_000;
const NO_COPIES = "No copies are kept now";

/** A long turn, and nodes killed in the middle of it; they are down until it has ended, and at least for so long. */
async function killInMidTurn(stage: Stage, random: Random, nodes: readonly NodeIndex[], downMs = 0): Promise<void> {
	const { cluster } = stage.world;
	stage.prompt("laptop", Math.max(140, Math.ceil(downMs / 50)));
	await stage.midTurn(random);
	const since = Date.now();
	for (const node of nodes) await cluster.kill(node);
	stage.run("tower");
	await stage.idle();
	stage.measure("laptop stood still", stage.pause("laptop", since), PAUSE_MS);
	stage.measure("tower stood still", stage.pause("tower", since), PAUSE_MS);
	await wait(downMs - (Date.now() - since));
}

/** A turn goes on while a node does not work for the laptop; how long until its page has the newest word again. */
async function untilItMoves(stage: Stage, random: Random, { seconds, limitMs, doIt }: { seconds: number; limitMs: number; doIt(): void }) {
	stage.prompt("tower", seconds * 20);
	await stage.midTurn(random);
	doIt();
	await wait(2_000);
	const { lastSeq: head = 0 } = stage.pages.desk.view.position;
	await stage.within("new words on laptop after 2 s and", limitMs - 2_000, () => (stage.pages.laptop.view.position.lastSeq ?? 0) > head);
	const since = Date.now();
	await stage.idle();
	stage.measure("laptop stood still then", stage.pause("laptop", since), 2_000);
}

export const NODE_FAULTS: readonly FleetFault[] = [
	{
		number: 1,
		breaks: "kill -9 the node that the owner uses, in mid-turn",
		expected: "words go on, pause ≤ 1 s",
		play: (stage, random) => killInMidTurn(stage, random, [0]),
	},
	{
		number: 2,
		breaks: "kill -9 the console's node, in mid-turn",
		expected: "words go on, pause ≤ 1 s; a lost word is fetched",
		play: (stage, random) => killInMidTurn(stage, random, [1]),
	},
	{
		number: 3,
		breaks: "kill -9 the leader of the copies' stream, in mid-turn",
		expected: "words go on, pause ≤ 1 s; copies late by ≤ 15 s",
		async play(stage, random) {
			await killInMidTurn(stage, random, [await leaderOf(stage.world)]);
			const ended = Date.now() - 1_000;
			let kept = 0;
			await stage.within("copy of the turn's end", 15_000, async () => {
				kept = await copyTime(stage);
				return kept >= ended - 4_000;
			});
			if (kept < ended - 4_000)
				stage.findings.push(kept === 0 ? "No copy could be read." : `The newest was kept ${ended - kept} ms before that.`);
		},
	},
	{
		number: 4,
		breaks: "kill -9 two of three nodes for 20 s",
		expected: "live goes on; copies late; “no copies are kept now” is told",
		async play(stage, random) {
			const { desk } = stage.world.seats;
			const said = desk.server.log().length;
			const left = random.pick(NODES);
			await killInMidTurn(
				stage,
				random,
				NODES.filter((node) => node !== left),
				20_000,
			);
			if (!desk.server.log().slice(said).includes(NO_COPIES)) stage.find("That no copies are kept was not told.");
		},
	},
	{
		number: 5,
		breaks: "kill -9 all nodes for 60 s",
		expected: "local work untouched; others are told as not reached; all equal ≤ 10 s after",
		async play(stage, random) {
			const { cluster, seats } = stage.world;
			stage.prompt("laptop");
			await stage.midTurn(random);
			for (const node of NODES) await cluster.kill(node);
			const since = Date.now();
			await stage.idle();
			stage.prompt("desk");
			stage.prompt("laptop");
			stage.run("desk");
			await stage.within("end of a turn on the owner's own page", 15_000, () => stage.pages.desk.view.lines.length >= 4);
			await stage.within("desk is told as offline on laptop", 20_000, async () =>
				(await hostsOf(seats.laptop)).some(({ name, state }) => name === "desk" && state === "offline"),
			);
			const { items } = await (await seats.laptop.server.api("/api/outbox")).json();
			if (items.length !== 1) stage.find(`The prompt of the laptop waits ${items.length} times in its outbox.`);
			await wait(60_000 - (Date.now() - since));
		},
	},
	{
		number: 6,
		breaks: "SIGSTOP the console's node for 30 s",
		expected: "another node ≤ 8 s",
		play: (stage, random) => untilItMoves(stage, random, { seconds: 32, limitMs: 8_000, doIt: () => stage.world.cluster.freeze(1, true) }),
	},
	{
		number: 7,
		breaks: "one node cut from its peers, the console on it",
		expected: "leaves it ≤ 15 s",
		play: (stage, random) =>
			untilItMoves(stage, random, {
				...{ seconds: 30, limitMs: 15_000 },
				doIt() {
					stage.world.cluster.part(1, 0);
					stage.world.cluster.part(1, 2);
				},
			}),
	},
	{
		number: 8,
		breaks: "one direction dropped between the owner's node and the console's",
		expected: "noticed by missing beats ≤ 15 s; then another node",
		async play(stage, random) {
			const { cluster, seats } = stage.world;
			stage.prompt("tower", 1_200);
			await stage.midTurn(random);
			cluster.part(0, 1, true);
			const { lastSeq: before = 0 } = stage.pages.desk.view.position;
			await stage.within("noticed", 16_000, async () => {
				const isOffline = (await hostsOf(seats.laptop)).some(({ name, state }) => name === "desk" && state === "offline");
				return isOffline || !seats.laptop.doors.used().includes(1) || !seats.desk.doors.used().includes(0);
			});
			// More than what was on its way when it broke.
			await stage.within("new words on laptop then", 15_000, () => (stage.pages.laptop.view.position.lastSeq ?? 0) > before + 40);
			await stage.idle();
		},
	},
	{
		number: 9,
		breaks: "the console cut off for 2 min",
		expected: "offline; its outbox keeps a prompt; it catches up without a snapshot",
		async play(stage, random) {
			const { laptop } = stage.world.seats;
			stage.prompt("desk");
			await stage.midTurn(random);
			for (const door of laptop.doors.all) door.freeze();
			const since = Date.now();
			await stage.within("desk is told as offline on laptop", 20_000, async () =>
				(await hostsOf(laptop)).some(({ name, state }) => name === "desk" && state === "offline"),
			);
			stage.prompt("laptop");
			stage.prompt("desk");
			await stage.idle();
			const { items } = await (await laptop.server.api("/api/outbox")).json();
			if (items.length !== 1) stage.find(`The prompt of the laptop waits ${items.length} times in its outbox.`);
			await wait(120_000 - (Date.now() - since));
			const before = stage.pages.laptop.snapshots();
			for (const door of laptop.doors.all) door.resume();
			await stage.within("laptop has caught up", 10_000, () => sameEnd(stage));
			if (stage.pages.laptop.snapshots() !== before)
				stage.find("The laptop's page was given a snapshot instead of the events that it missed.");
		},
	},
	{
		number: 31,
		breaks: "only the owner cut off: until its turn has ended, then in mid-turn",
		expected: "a lost end is noticed by the owner's beats, lost words by the next one, ≤ 10 s",
		async play(stage, random) {
			const { doors } = stage.world.seats.desk;
			const cutOff = (isCut: boolean) => {
				for (const door of doors.all) {
					if (isCut) door.refuse();
					else door.resume();
					if (isCut) door.cut();
				}
			};
			for (const endsCutOff of [true, false]) {
				stage.prompt("desk", 80);
				await stage.midTurn(random);
				cutOff(true);
				if (endsCutOff) await stage.idle();
				else await wait(1_000);
				cutOff(false);
				await stage.within(endsCutOff ? "the lost end is shown" : "the lost words are shown", 12_000, () => sameEnd(stage));
				await stage.idle();
			}
		},
	},
];

function sameEnd({ pages }: Stage): boolean {
	const [own, other] = [pages.desk.view.position, pages.laptop.view.position];
	return own.epoch === other.epoch && own.lastSeq === other.lastSeq;
}
