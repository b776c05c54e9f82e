import { mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import type { ClientFrame } from "@rightseat/protocol/frames/client";
import type { Message } from "@rightseat/protocol/model/message";
import type { Fault } from "../fault.ts";
import { signsOf } from "../named-state.ts";
import type { PageView } from "../page-view.ts";
import { quiet, until } from "../quiet.ts";
import type { Random } from "../random.ts";
import { createResilientClient } from "../resilient-client.ts";
import type { World } from "../world.ts";

/** A conversation beside that of the pages, with a folder and a page of its own: for what would be in the way of the others' traffic. */
export interface Side {
	readonly id: string;
	readonly cwd: string;
	readonly view: PageView;
	say(prompt: string, more?: { attachments?: string[] }): void;
	send(frame: ClientFrame): void;
	/** Its page was told this since then. */
	told(name: string, since: number): Promise<void>;
	/** Nothing runs in it; gives what is stored. */
	settled(): Promise<Message[]>;
	messages(): Promise<Message[]>;
	patch(json: object): Promise<void>;
	remove(): Promise<void>;
}

interface SideFault extends Pick<Fault, "name" | "breaks" | "shows" | "restarts"> {
	/** How the conversation is created. */
	json?: object;
	play(side: Side, world: World, random: Random, struck: () => void): Promise<void>;
	/** What it leaves behind beside its conversation. */
	tidy?(world: World): Promise<void>;
}

/** A fault that is played in a conversation of its own, in peace; it is deleted afterwards, and must leave nothing in the inbox. */
export function besideThePages({ json = {}, play, tidy, ...fault }: SideFault): Fault {
	let side: Side | undefined;
	return {
		...fault,
		async inject(world, random, struck) {
			await quiet(world);
			side = await openSide(world, random.between(100_000, 899_999), json);
			await play(side, world, random, struck);
			await quiet(world);
		},
		async heal(world) {
			await world.revive();
			await side?.remove();
			side = undefined;
			await tidy?.(world);
		},
	};
}

/** Ends the server by SIGKILL and starts it again. */
export async function killServer(world: World, struck: () => void): Promise<void> {
	struck();
	await world.server.kill("SIGKILL");
	await world.revive();
}

/** The conversation answers, whatever happened to it. */
export async function sideAnswers(side: Side, mark: string): Promise<void> {
	side.say(`again-${mark}`);
	await until(
		"An answer",
		() => side.view.lines.some((line) => line.startsWith("agent:") && line.includes(`answer to again-${mark}`)),
		40_000,
	);
}

async function openSide(world: World, mark: number, json: object): Promise<Side> {
	const cwd = join(world.server.workdir, `side-${mark}`);
	mkdirSync(cwd);
	const created = await world.server.api("/api/conversations", { method: "POST", json: { ...json, cwd } });
	if (created.status !== 201) throw new Error(`A conversation beside the pages was refused with ${created.status}.`);
	const id: string = Object(await created.json()).conversation.id;
	const host = new URL(world.server.url).host;
	const client = createResilientClient({
		...{ url: () => world.server.url.replace("http", "ws"), host: () => host, token: world.server.token, conversationId: id },
		onFrame(said) {
			if ("received" in said) for (const name of signsOf(said.received)) world.note(name);
		},
	});
	const messages = async (): Promise<Message[]> => {
		const response = await world.server.api(`/api/conversations/${id}/messages?limit=100`);
		return Object(await response.json()).messages;
	};
	return {
		...{ id, cwd, view: client.view, messages },
		say: (prompt, more = {}) =>
			client.send({ type: "copilot:send", data: { conversationId: id, prompt, clientMessageId: prompt, ...more } }),
		send: client.send,
		told: (name, since) => until(name, () => client.signs.some((sign) => sign.name === name && sign.at >= since), 30_000),
		async settled() {
			await until(
				"The end of the turn",
				async () => {
					const { conversation } = Object(await (await world.server.api(`/api/conversations/${id}`)).json());
					return conversation.status !== "streaming" && client.unacknowledged === 0 && client.connected;
				},
				40_000,
			);
			return await messages();
		},
		async patch(change) {
			const response = await world.server.api(`/api/conversations/${id}`, { method: "PATCH", json: change });
			if (response.status !== 200) throw new Error(`Changing the conversation answers ${response.status}.`);
		},
		async remove() {
			client.close();
			await world.server.api(`/api/conversations/${id}`, { method: "DELETE" });
			rmSync(cwd, { recursive: true, force: true });
		},
	};
}
