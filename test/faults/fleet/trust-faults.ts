import { cpSync } from "node:fs";
import { join } from "node:path";
import { subjects } from "../../../packages/server/src/fleet/subjects.ts";
import { startServer } from "../../support/server.ts";
import { wait } from "../wait.ts";
import type { FleetFault } from "./fault.ts";
import { startGuest } from "./guest.ts";
import { asOperator, overhear } from "./operator.ts";
import type { Stage } from "./stage.ts";
import { hostsOf, until } from "./world.ts";

/** The same bytes with one of them changed. */
function altered(bytes: Uint8Array): Uint8Array {
	const copy = Uint8Array.from(bytes);
	const at = Math.floor(copy.length * 0.8);
	copy[at] = (copy[at] ?? 0) ^ 1;
	return copy;
}

async function auditOf({ world }: Stage): Promise<string> {
	const { entries }: { entries: { kind: string; source: string; detail: string }[] } = await (
		await world.seats.desk.server.api("/api/audit?limit=100")
	).json();
	return entries.flatMap(({ kind, source, detail }) => (kind === "fleet" ? [`${source} ${detail}`] : [])).join("\n");
}

/** A member that may only look, and then is removed, asks the desk to run something. */
async function refusedGuest(stage: Stage): Promise<void> {
	const { world, conversationId } = stage;
	const { desk } = world.seats;
	const home = world.newHome();
	const invited = await world.command(desk.home, ["invite", "--role", "watch"]);
	const joined = await world.command(home, ["join", invited.out, "--name", "guest"]);
	if (joined.code !== 0) throw new Error(`The guest could not join: ${joined.err}`);
	const { fleet } = await startGuest(world, home);
	try {
		const frame = { type: "bash:exec", data: { conversationId, command: "echo guest >> ran.log", clientMessageId: "guest" } };
		const ask = async () => {
			try {
				await fleet.command({ to: desk.id, conversationId, actor: { origin: "web" }, frame });
				return "done";
			} catch (error) {
				return error instanceof Error && "code" in error ? String(error.code) : String(error);
			}
		};
		await until("guest that sees the desk", 30_000, () => fleet.hosts().some(({ id, state }) => id === desk.id && state === "online"));
		const asWatcher = await ask();
		if (asWatcher !== "not-allowed-on-host") stage.find(`A member that may only look was told ${asWatcher}.`);
		if (!(await auditOf(stage)).includes("bash:exec in")) stage.find("The refusal is not in the owner's audit.");
		const removed = await world.command(desk.home, ["remove", "guest"]);
		if (removed.code !== 0) stage.find(`The guest could not be removed: ${removed.err}`);
		await wait(2_000);
		const asStranger = await ask();
		if (asStranger === "done") stage.find("A removed member was obeyed.");
		stage.note(`a watcher is told ${asWatcher}, a removed member ${asStranger}`);
	} finally {
		await fleet.close();
	}
}

export const TRUST_FAULTS: readonly FleetFault[] = [
	{
		number: 25,
		breaks: "a command altered, sent to another host, by a removed or watching member",
		expected: "refused; what a member asked is audited",
		async play(stage) {
			const { world } = stage;
			const { desk, tower } = world.seats;
			await asOperator(world, async (connection) => {
				const { heard } = await overhear(connection, subjects.command(world.fleet, desk.id));
				const id = stage.run("laptop");
				await stage.within("the command is done", 20_000, () => stage.pages.laptop.acked.has(id));
				const recorded = heard.slice();
				if (recorded.length === 0) stage.find("Nothing was recorded: the round proves nothing.");
				for (const { subject, bytes } of recorded) {
					connection.publish(subject, altered(bytes));
					connection.publish(subjects.command(world.fleet, tower.id), bytes);
				}
				await connection.flush();
			});
			await refusedGuest(stage);
			stage.prompt("laptop");
		},
	},
	{
		number: 26,
		breaks: "an event moved to another subject, altered, from another fleet",
		expected: "dropped",
		async play(stage, random) {
			const { world, conversationId } = stage;
			const { desk } = world.seats;
			const live = subjects.live(world.fleet, desk.id, conversationId);
			await asOperator(world, async (connection) => {
				const { heard } = await overhear(connection, "rs.*.live.>");
				const home = world.newHome();
				const made = await world.command(home, ["init", "--name", "stranger"]);
				if (made.code !== 0) throw new Error(`There is no other fleet: ${made.err}`);
				const { fleet, fake } = await startGuest(world, home);
				const other = await (await desk.server.api("/api/conversations", { method: "POST", json: { title: "another" } })).json();
				await until("stranger that serves", 30_000, () => fleet.hosts().some(({ state }) => state === "online"));
				fake.create(conversationId);
				fake.say(conversationId, "forged");
				await desk.server.api(`/api/conversations/${other.conversation.id}/prompt`, { method: "POST", json: { prompt: "elsewhere" } });
				stage.prompt("laptop", 100);
				await stage.midTurn(random);
				const recorded = heard.slice();
				const foreign = recorded.filter(({ subject }) => subject !== live);
				if (foreign.length === 0) stage.find("No foreign event was recorded: the round proves nothing.");
				for (const { bytes } of foreign) connection.publish(live, bytes);
				for (const { subject, bytes } of recorded) if (subject === live) connection.publish(live, altered(bytes));
				for (const { subject, bytes } of recorded) if (subject === live) connection.publish(live, bytes);
				await connection.flush();
				await stage.idle();
				await fleet.close();
				stage.note(`${recorded.length} events moved, altered or doubled`);
			});
		},
	},
	{
		number: 27,
		breaks: "a second machine with the same identity",
		expected: "the second stays out with the sentence",
		async play(stage) {
			const { world } = stage;
			const { laptop } = world.seats;
			const home = world.newHome();
			cpSync(join(laptop.home, "fleet"), join(home, "fleet"), { recursive: true });
			const twin = await startServer({ home, env: { RIGHTSEAT_FLEET_URL: world.directUrl, RIGHTSEAT_FLEET_CREDS: world.credsFile } });
			try {
				await stage.within("the twin says that its identity is in use", 30_000, () => twin.log().includes("This identity is in use on"));
				stage.prompt("laptop");
				stage.run("laptop");
				await stage.idle();
				await wait(10_000);
				const seen = (await hostsOf(world.seats.desk)).filter(({ name }) => name === "laptop");
				if (seen.length !== 1 || seen[0]?.state !== "online") stage.find(`The desk sees ${JSON.stringify(seen)} of the laptop.`);
			} finally {
				await twin.close();
			}
		},
	},
];
