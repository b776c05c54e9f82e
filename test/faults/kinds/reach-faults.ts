import { existsSync, readdirSync } from "node:fs";
import { request } from "node:http";
import { join } from "node:path";
import type { Message } from "@rightseat/protocol/model/message";
import { startCli } from "../../support/cli.ts";
import { pause, text } from "../../support/scripted-model-steps.ts";
import type { Fault } from "../fault.ts";
import { allProcesses } from "../processes.ts";
import { until } from "../quiet.ts";
import { wait } from "../wait.ts";
import type { World } from "../world.ts";
import { besideThePages, killServer, type Side, sideAnswers } from "./side.ts";

const LOST = [{ anyOf: ["lost"] }];
const restarting = { shows: LOST, restarts: true };

/** The server is killed while a conversation is copied or removed, a file comes in, a terminal is open, a link is given away, or a command line waits. */
export const REACH_FAULTS: Fault[] = [
	besideThePages({
		...{ name: "fork-kill-server", breaks: "the server is killed in the moment in which a conversation is forked", ...restarting },
		async play(side, world, random, struck) {
			await sideAnswers(side, `one-${random.between(0, 1e9)}`);
			await sideAnswers(side, `two-${random.between(0, 1e9)}`);
			const whole = (await side.settled()).length;
			const forking = post(world, `/api/conversations/${side.id}/fork`, { clientMessageId: `fork-${random.between(0, 1e9)}` });
			await wait(random.between(0, 60));
			await killServer(world, struck);
			const answered = await forking;
			const { conversations } = Object(await (await world.server.api(`/api/conversations/${side.id}/forks`)).json());
			const forks: { id: string }[] = conversations;
			if (forks.length > 1 || (answered?.ok === true && forks.length !== 1))
				throw new Error(`One fork became ${forks.length} conversations.`);
			for (const { id } of forks) {
				const page = Object(await (await world.server.api(`/api/conversations/${id}/messages?limit=100`)).json());
				await world.server.api(`/api/conversations/${id}`, { method: "DELETE" });
				if (page.messages.length !== whole) throw new Error(`A fork has ${page.messages.length} of ${whole} messages.`);
			}
			await sideAnswers(side, `three-${random.between(0, 1e9)}`);
		},
	}),
	besideThePages({
		...{ name: "delete-kill-server", breaks: "the server is killed while a conversation is deleted", ...restarting },
		async play(side, world, random, struck) {
			const mark = String(random.between(0, 1e9));
			await sideAnswers(side, mark);
			const before = await side.settled();
			const client = await world.server.ws();
			const isTold = client.next("conversation:deleted").catch(() => undefined);
			const deleting = world.server.api(`/api/conversations/${side.id}`, { method: "DELETE" }).catch(() => undefined);
			await (random.next() < 0.5 ? isTold : wait(random.between(0, 80)));
			await killServer(world, struck);
			client.terminate();
			await deleting;
			await expectGoneOrWhole(side, world, before);
		},
	}),
	besideThePages({
		...{ name: "upload-cut", breaks: "uploads are cut half-way, and the server is killed over one and right after another", ...restarting },
		async play(side, world, random, struck) {
			const mark = String(random.between(0, 1e9));
			const before = stored(world);
			await halfAnUpload(world);
			const attachment = await upload(world, `The word is ${mark}.`);
			const second = halfAnUpload(world);
			await wait(random.between(0, 30));
			await killServer(world, struck);
			await second;
			const since = Date.now();
			side.say(`look-${mark}`, { attachments: [attachment] });
			await side.told("idle:completed", since);
			const heard = world.model.requests.some(({ body }) => JSON.stringify(body.messages).includes(`The word is ${mark}.`));
			if (!heard) throw new Error("The model heard nothing of a file that was uploaded before the server was killed.");
			await until("What is left of half an upload to be gone", () => stored(world) <= before + 1, 10_000);
		},
	}),
	besideThePages({
		...{ name: "terminal-kill-server", breaks: "the server is killed while a program runs in a terminal", ...restarting },
		async play(side, world, random, struck) {
			const seconds = random.between(100_000, 899_999);
			const client = await world.server.ws();
			const isAlive = () => allProcesses().some(({ args }) => args === `sleep ${seconds}`);
			client.send({ type: "terminal:open", data: { terminalId: `t-${seconds}`, conversationId: side.id, cols: 80, rows: 24 } });
			await client.waitFor("terminal:opened");
			client.send({ type: "terminal:input", data: { terminalId: `t-${seconds}`, data: `sleep ${seconds}\r` } });
			await until("The program in the terminal", isAlive);
			client.terminate();
			await killServer(world, struck);
			await until("The end of the program in the terminal", () => !isAlive(), 10_000);
			await sideAnswers(side, String(seconds));
		},
	}),
	besideThePages({
		...{
			name: "share-kill-server",
			breaks: "the server is killed right after a link for a guest was made, and right after it was ended",
			...restarting,
		},
		async play(side, world, random, struck) {
			await sideAnswers(side, String(random.between(0, 1e9)));
			const made = await post(world, `/api/conversations/${side.id}/shares`, { hours: 1 });
			const { share, path } = Object(await made?.json());
			await killServer(world, struck);
			const open = await fetch(`${world.server.url}${path}`);
			if (open.status !== 200) throw new Error(`A link that was given away answers ${open.status} after a kill.`);
			await open.text();
			await world.server.api(`/api/shares/${share.id}`, { method: "DELETE" });
			await killServer(world, () => undefined);
			const ended = await fetch(`${world.server.url}${path}`);
			await ended.text();
			if (ended.status !== 404) throw new Error(`A link that was ended answers ${ended.status} after a kill.`);
		},
	}),
	besideThePages({
		...{ name: "ask-kill-server", breaks: "the server is killed while a command line waits for its answer (rightseat ask)", ...restarting },
		async play(side, world, random, struck) {
			const mark = String(random.between(0, 1e9));
			world.model.reply(text(`begun-${mark} as told. `), pause(20_000), text("never said"));
			const { home } = world.server;
			const run = startCli(["ask", `typed-${mark}`, "--conversation", side.id], { home });
			await run.until("stdout", new RegExp(`begun-${mark}`));
			await killServer(world, struck);
			const exit = await run.exited;
			if (exit !== 3) throw new Error(`The command line ended with ${exit}, and not as interrupted.\n${run.stderr()}`);
			const copies = (await side.settled()).filter((message) => message.role === "user" && message.content === `typed-${mark}`).length;
			if (copies !== 1) throw new Error(`What the command line sent is stored ${copies} times.`);
			await sideAnswers(side, mark);
		},
	}),
];

/** Undefined when the server died over it. */
const post = (world: World, path: string, json: object) => world.server.api(path, { method: "POST", json }).catch(() => undefined);

/** Half a deletion is none; and whoever deleted it is in the audit log. */
async function expectGoneOrWhole(side: Side, world: World, before: readonly Message[]): Promise<void> {
	const found = await world.server.api(`/api/conversations/${side.id}`);
	if (found.status === 200) {
		const { length } = await side.messages();
		if (length !== before.length) throw new Error(`A conversation whose deletion was cut has ${length} of ${before.length} messages.`);
		return;
	}
	const { entries } = Object(await (await world.server.api("/api/audit?limit=50")).json());
	const told = entries.filter(
		({ kind, detail }: { kind: string; detail: string }) => kind === "conversation-deleted" && detail.includes(side.id),
	);
	if (told.length !== 1) throw new Error(`The audit log says ${told.length} times who deleted a conversation that is gone.`);
}

async function upload(world: World, body: string): Promise<string> {
	const response = await world.server.api("/api/attachments?name=word.txt", { method: "POST", body });
	if (response.status !== 201) throw new Error(`The upload answered ${response.status}.`);
	return Object(await response.json()).attachment.id;
}

/** Says that a megabyte will come, and goes away in the middle of it. */
function halfAnUpload(world: World): Promise<void> {
	const { port, token } = world.server;
	const headers = { authorization: `Bearer ${token}`, "content-length": 1_000_000, "content-type": "application/octet-stream" };
	return new Promise((resolve) => {
		const sent = request({ ...{ host: "127.0.0.1", port, headers }, method: "POST", path: "/api/attachments?name=half.bin" });
		sent.on("error", () => resolve());
		sent.on("close", () => resolve());
		sent.write(Buffer.alloc(500_000), () => setTimeout(() => sent.destroy(), 50));
	});
}

function stored(world: World): number {
	const folder = join(world.server.home, "attachments");
	return existsSync(folder) ? readdirSync(folder).length : 0;
}
