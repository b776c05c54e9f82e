import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { remoteIdOf } from "@rightseat/protocol/fleet/ids";
import type { Message } from "@rightseat/protocol/model/message";
import { lastUserText } from "../../support/scripted-model.ts";
import { tokens } from "../../support/scripted-model-steps.ts";
import { type Aftermath, type Asked, EQUAL_WITHIN_MS, examineAftermath } from "./examine.ts";
import { type FleetPage, longestPause, openPage } from "./page.ts";
import { type FleetWorld, SEATS, type Seat, type SeatName, until } from "./world.ts";

/** One fault in one conversation of the desk: its pages, what was sent, what was found. */
export interface Stage {
	readonly world: FleetWorld;
	/** On the desk. */
	readonly conversationId: string;
	readonly pages: Readonly<Record<SeatName, FleetPage>>;
	readonly mayBeLost: Set<string>;
	/** Its id. */
	prompt(from: SeatName, words?: number, attachments?: string[]): string;
	/** So many requests to the model belong to this prompt. */
	allowAnswers(id: string, times: number): void;
	run(from: SeatName): string;
	/** Until the page on the desk has shown so many events of a turn that runs. */
	midTurn(random: { between(from: number, to: number): number }): Promise<void>;
	/** Until everything that was sent is acknowledged and nothing runs on the desk. */
	idle(limitMs?: number): Promise<void>;
	/** The longest time that a page stood still since then, beyond what the desk's own page did. */
	pause(name: SeatName, since: number): number;
	/** Pages begin again, as after a reload. */
	reload(name: SeatName): void;
	find(sentence: string): void;
	/** Something worth telling. */
	note(sentence: string): void;
	/** This machine does not permit it. */
	skip(reason: string): void;
	skipped(): string | undefined;
	/** A time that was measured; later than its limit is a finding. */
	measure(what: string, ms: number, limitMs?: number): void;
	/** How long until it held; a finding when it did not within the limit. */
	within(what: string, limitMs: number, holds: () => boolean | Promise<boolean>): Promise<void>;
	/** What the pages heard last. */
	trace(): string[];
	readonly findings: string[];
	readonly measured: string[];
	/** Everything is mended: waits until it is quiet, and checks what holds after every fault. */
	end(): Promise<void>;
	close(): void;
}

const WORDS_PER_SECOND = 20;
const QUIET_LIMIT_MS = 90_000;

export async function openStage(world: FleetWorld, seed: string): Promise<Stage> {
	const { desk } = world.seats;
	const [lengths, allowed] = [new Map<string, number>(), new Map<string, number>()];
	const [prompts, commands]: [{ id: string; from: SeatName }[], { id: string; from: SeatName }[]] = [[], []];
	const firstRequest = world.model.requests.length;
	world.model.default((request) => {
		const id = promptOf(lastUserText(request));
		return [tokens(lengths.get(id) ?? 40, WORDS_PER_SECOND, (index) => `${id}w${index} `)];
	});
	const created = await desk.server.api("/api/conversations", { method: "POST", json: { title: seed } });
	const conversationId: string = (await created.json()).conversation.id;
	const idOn = (seat: Seat) => (seat === desk ? conversationId : remoteIdOf(desk.id, conversationId));
	const open = (name: SeatName) => openPage({ name, server: () => world.seats[name].server, conversationId: idOn(world.seats[name]) });
	const pages: Record<SeatName, FleetPage> = { desk: open("desk"), laptop: open("laptop"), tower: open("tower") };
	const closed: FleetPage[] = [];
	const [findings, measured, mayBeLost]: [string[], string[], Set<string>] = [[], [], new Set()];

	let skipped: string | undefined;
	await until("page that shows the conversation", QUIET_LIMIT_MS, () =>
		SEATS.every((name) => pages[name].view.position.epoch !== undefined),
	);

	const isAcked = (id: string) => [...Object.values(pages), ...closed].some((page) => page.acked.has(id));
	const asked = (sent: readonly { id: string }[]): Asked[] =>
		sent.map(({ id }) => ({ id, isAcked: isAcked(id), mayBeLost: mayBeLost.has(id) }));
	const isIdle = async () => {
		const { conversation } = await (await desk.server.api(`/api/conversations/${conversationId}`)).json();
		return conversation.status !== "streaming" && pages.desk.view.unfinished === "" && pages.desk.view.waiting.length === 0;
	};
	const isQuiet = async () => {
		if (Object.values(pages).some((page) => page.unacknowledged > 0)) return false;
		for (const { server } of Object.values(world.seats)) {
			const { items } = await (await server.api("/api/outbox")).json();
			if (items.length > 0) return false;
		}
		return await isIdle();
	};
	const isEqual = () =>
		Object.values(pages).every(({ view }) => sameEnd(view.position, pages.desk.view.position) && view.unfinished === "");

	const stage: Stage = {
		...{ world, conversationId, pages, mayBeLost, findings, measured },
		prompt(from, words = 40, attachments) {
			const id = `p-${seed}-${prompts.length + 1}`;
			prompts.push({ id, from });
			lengths.set(id, words);
			const data = { conversationId: pages[from].conversationId, prompt: id, clientMessageId: id };
			pages[from].send({ type: "copilot:send", data: { ...data, ...(attachments === undefined ? {} : { attachments }) } });
			return id;
		},
		allowAnswers: (id, times) => void allowed.set(id, times),
		run(from) {
			const id = `c-${seed}-${commands.length + 1}`;
			commands.push({ id, from });
			const command = `echo ${id} >> "${ranLog(desk)}"`;
			pages[from].send({ type: "bash:exec", data: { conversationId: pages[from].conversationId, command, clientMessageId: id } });
			return id;
		},
		async midTurn(random) {
			const words = random.between(5, 25);
			await until("turn that runs", QUIET_LIMIT_MS, () => pages.desk.view.unfinished.split(" ").length > words);
		},
		async idle(limitMs = QUIET_LIMIT_MS) {
			await until(
				"end of all turns",
				limitMs,
				async () => Object.values(pages).every((page) => page.unacknowledged === 0) && (await isIdle()),
			);
		},
		pause(name, since) {
			const to = Date.now();
			return longestPause(pages[name].times, since, to) - longestPause(pages.desk.times, since, to);
		},
		reload(name) {
			pages[name].close();
			closed.push(pages[name]);
			pages[name] = open(name);
		},
		find: (sentence) => void findings.push(sentence),
		note: (sentence) => void measured.push(sentence.replace(/\s+/g, " ").trim()),
		skip(reason) {
			skipped = reason;
		},
		skipped: () => skipped,
		measure(what, ms, limitMs) {
			measured.push(`${what} ${seconds(ms)}`);
			if (limitMs !== undefined && ms > limitMs) findings.push(`${what}: ${seconds(ms)} instead of at most ${seconds(limitMs)}.`);
		},
		async within(what, limitMs, holds) {
			// What comes late is measured as well, so that the table says how late.
			const ms = await until(what, 3 * limitMs + QUIET_LIMIT_MS / 3, holds).catch((error: unknown) => {
				findings.push(error instanceof Error ? error.message : String(error));
				return undefined;
			});
			if (ms !== undefined) stage.measure(what, ms, limitMs);
		},
		trace: () =>
			Object.values(pages).flatMap(({ name, heard }) =>
				[
					...heard.filter(({ type }) => type === "error"),
					...heard.filter(({ type }) => !["pong", "fleet:hosts"].includes(type)).slice(-8),
				].map((frame) => `${name}: ${JSON.stringify(frame).slice(0, 200)}`),
			),
		async end() {
			const head = pages.desk.view.position;
			await stage.within("equal after healing", EQUAL_WITHIN_MS, () =>
				Object.values(pages).every(({ view }) => view.position.epoch === head.epoch && (view.position.lastSeq ?? 0) >= (head.lastSeq ?? 0)),
			);
			await until("quiet", QUIET_LIMIT_MS, isQuiet).catch((error: unknown) => findings.push(String(error)));
			await until("equal views", EQUAL_WITHIN_MS, isEqual).catch(() => undefined);
			findings.push(...examineAftermath(await aftermath()));
		},
		close() {
			for (const page of Object.values(pages)) page.close();
		},
	};

	/** A very long one is listed with its beginning only. */
	async function whole(listed: Message): Promise<Message> {
		if (listed.truncated === undefined) return listed;
		const { message } = await (await desk.server.api(`/api/conversations/${conversationId}/messages/${listed.id}`)).json();
		return message;
	}
	async function aftermath(): Promise<Aftermath> {
		const page = await (await desk.server.api(`/api/conversations/${conversationId}/messages?limit=200`)).json();
		const listed: Message[] = page.messages;
		const messages = await Promise.all(listed.map(whole));
		const { conversation } = await (await desk.server.api(`/api/conversations/${conversationId}`)).json();
		const answered = new Map<string, number>();
		for (const request of world.model.requests.slice(firstRequest)) count(answered, promptOf(lastUserText(request)));
		for (const [id, times] of allowed) if ((answered.get(id) ?? 0) <= times) answered.set(id, 1);
		return {
			stored: messages.map(lineOf),
			beginnings: listed.map(lineOf),
			head: { epoch: conversation.epoch, seq: pages.desk.view.position.lastSeq ?? 0 },
			views: Object.values(pages).map(({ name, view, disorder }) => ({
				...{ name, lines: view.lines, unfinished: view.unfinished, epoch: view.position.epoch, seq: view.position.lastSeq },
				disorder: [...disorder, ...closed.filter((page) => page.name === name).flatMap((page) => page.disorder)],
			})),
			prompts: asked(prompts),
			commands: asked(commands),
			ran: ranOf(desk),
			answered,
		};
	}
	return stage;
}

const lineOf = ({ role, content }: Message) => `${role === "user" ? "user" : "agent"}: ${content}`;

const ranLog = ({ server }: Seat) => join(server.workdir, "ran.log");

function ranOf(seat: Seat): Map<string, number> {
	const counts = new Map<string, number>();
	const file = ranLog(seat);
	for (const id of existsSync(file) ? readFileSync(file, "utf8").split("\n") : []) if (id !== "") count(counts, id);
	return counts;
}

const count = (counts: Map<string, number>, id: string) => void counts.set(id, (counts.get(id) ?? 0) + 1);

/** Our prompts are one word; the runtime and earlier commands put lines before it. */
const promptOf = (text: string) => text.trim().split("\n").at(-1)?.trim() ?? "";

const sameEnd = (a: { epoch?: string; lastSeq?: number }, b: { epoch?: string; lastSeq?: number }) =>
	a.epoch === b.epoch && a.lastSeq === b.lastSeq;

const seconds = (ms: number) => `${(ms / 1_000).toFixed(1)} s`;
