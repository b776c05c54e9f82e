import { writeFileSync } from "node:fs";
import { text } from "../../support/scripted-model-steps.ts";
import { wait } from "../wait.ts";
import { NODES } from "./cluster.ts";
import type { FleetFault } from "./fault.ts";
import type { Stage } from "./stage.ts";

const DAY_MS = 86_400_000;
const MB = 1_048_576;

/** The clocks of owner and console a day off in both directions. */
async function clocksOff(stage: Stage): Promise<void> {
	const { desk, laptop } = stage.world.seats;
	desk.shiftClock(DAY_MS);
	laptop.shiftClock(-DAY_MS);
	await wait(6_000);
	const ids = [stage.prompt("laptop"), stage.run("laptop")];
	await stage.within("with clocks two days apart both are acknowledged", 15_000, () => ids.every((id) => stage.pages.laptop.acked.has(id)));
	await stage.idle();
	for (const seat of [desk, laptop]) await seat.restart();
}

async function tlsStripped(stage: Stage): Promise<void> {
	const { world } = stage;
	const { code, err } = await world.command(world.newHome(), ["init", "--name", "x"], world.directUrl.replaceAll("nats://", "tls://"));
	if (code === 0) stage.find("A server without TLS was spoken to although tls:// was asked for.");
	else stage.note(err);
}

/** Everybody's credentials end, and new ones are put in their place. */
async function credentialsEnd(stage: Stage): Promise<void> {
	const { cluster, credsFile, seats } = stage.world;
	const said = seats.laptop.server.log().length;
	cluster.configure({ password: "second" });
	await stage.within("it is told that the credentials ended", 20_000, () =>
		seats.laptop.server.log().slice(said).includes("NATS refuses the credentials"),
	);
	stage.prompt("desk");
	await stage.idle();
	writeFileSync(credsFile, `fleet:${cluster.settings().password}`, { mode: 0o600 });
	const { lastSeq: head = 0 } = stage.pages.desk.view.position;
	await stage.within("back by itself with new ones", 30_000, () => (stage.pages.laptop.view.position.lastSeq ?? 0) >= head);
}

async function withMaxPayload({ world }: Stage, maxPayload: string): Promise<void> {
	world.cluster.configure({ maxPayload });
	for (const node of NODES) {
		await world.cluster.kill(node);
		await world.cluster.start(node);
	}
	await world.settle();
}

async function largeThings(stage: Stage): Promise<void> {
	const { model, seats } = stage.world;
	for (const [from, word] of [
		["laptop", "long "],
		["tower", "more "],
	] as const) {
		model.reply(text(`${word.repeat((2 * MB) / word.length)}end`));
		stage.prompt(from);
		await stage.idle();
	}
	stage.reload("tower");
	const uploaded = await seats.laptop.server.api("/api/attachments?name=large.txt", {
		...{ method: "POST", body: Buffer.alloc(10 * MB - 1_024, "x"), headers: { "content-type": "text/plain" } },
	});
	const { attachment } = await uploaded.json();
	const id = stage.prompt("laptop", 10, [attachment.id]);
	await stage.within("the prompt with 10 MB arrived", 30_000, () => stage.pages.desk.view.lines.includes(`user: ${id}`));
	await stage.idle();
}

export const SKEW_FAULTS: readonly FleetFault[] = [
	{
		number: 29,
		breaks: "3 MB snapshot, 2 MB event, 10 MB attachment, nodes with 256 KiB max_payload",
		expected: "all arrive",
		async play(stage) {
			await withMaxPayload(stage, "256KB");
			try {
				await largeThings(stage);
			} finally {
				await withMaxPayload(stage, "1MB");
			}
		},
	},
	{
		number: 30,
		breaks: "clocks ± 1 day; TLS stripped; expired credentials; a console two versions older",
		expected: "works; refused; told, and back by itself when they are replaced; read only with the reason",
		notPlayed: "a console two versions older: there is no such release yet",
		async play(stage) {
			await clocksOff(stage);
			await tlsStripped(stage);
			await credentialsEnd(stage);
		},
	},
];
