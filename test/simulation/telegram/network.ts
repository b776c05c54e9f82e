import { Api, InputFile } from "grammy";
import type { BotLine, OpenLine } from "../../../packages/server/src/channels/telegram/api/bot-line.ts";
import type { BotApi } from "../../support/bot-api/bot-api.ts";
import { isRecord, numberOf, type Params, type UploadedFile } from "../../support/bot-api/params.ts";
import type { Life } from "../frame/life.ts";
import type { World } from "../frame/part.ts";

/** What can go wrong with one call. `after`: Telegram has acted on it. */
export const MISHAPS = [
	"refused",
	"cut-before",
	"cut-after",
	"silent-before",
	"silent-after",
	"502-before",
	"502-after",
	"429",
	"kill-after",
	"power-cut-after",
] as const;
export type Mishap = (typeof MISHAPS)[number];

/** One call of the bot, as the network saw it. */
export interface Exchange {
	readonly method: string;
	readonly chatId: number | undefined;
	readonly text: string;
	readonly life: Life;
	readonly at: number;
	/** The message that it changes. */
	readonly about: number | undefined;
	/** The how manieth call it is that Telegram has acted on. */
	acted: number | undefined;
	/** What Telegram made of it, if it has acted. */
	messageId: number | undefined;
	/** When the process that asked got the answer. */
	heardAt: number | undefined;
	/** The answer was lost on its way, or the process was. */
	isInDoubt: boolean;
}

export interface Network {
	openLine(life: Life): OpenLine;
	/** The next call of one of these methods meets this; or the next of those that are meant. */
	arm(methods: readonly string[], mishap: Mishap, isMeant?: (call: Exchange) => boolean): void;
	/** Nothing comes through from now on: refused at once, or swallowed. */
	block(how: "refused" | "swallowed" | undefined): void;
	/** How late calls are from now on, at most. */
	setLatency(ms: number): void;
	/** Everything comes through again; what hung ends. */
	mend(): void;
	/** Calls that show or change something, oldest first. */
	readonly exchanges: readonly Exchange[];
	/** No such call is under way, and none was for this long. */
	isQuietFor(ms: number): boolean;
	/** Called in the moment in which a call leaves the process. */
	onCall(listener: (call: { method: string; params: Params }, life: Life) => void): void;
}

/** How long whoever sends too much is told to wait. */
const WAIT_S = 7;

interface UnderWay {
	fail(code: string): void;
	leave(): void;
}
interface Body {
	params: Params;
	files: UploadedFile[];
}
type Reply = { text: string } | { code: string };

const UNHEARD = new Set(["getUpdates", "sendChatAction", "getMe"]);

/** The way between the bot and Telegram. What leaves a process arrives although the process dies; what comes back to a dead one is lost. */
export function createNetwork(world: World, api: BotApi): Network {
	const random = world.random("telegram network");
	const armed: { methods: readonly string[]; mishap: Mishap; isMeant: (call: Exchange) => boolean }[] = [];
	const exchanges: Exchange[] = [];
	const hanging = new Set<() => void>();
	const listeners = new Set<Parameters<Network["onCall"]>[0]>();
	let blocked: "refused" | "swallowed" | undefined;
	let latencyMs = 0;
	let busy = 0;
	let lastAt = 0;
	let toldToWaitAt = Number.NEGATIVE_INFINITY;
	let acted = 0;

	const delay = () => (latencyMs === 0 ? 0 : random.between(0, latencyMs));
	const pass = (ms: number) => (ms === 0 ? Promise.resolve() : new Promise<void>((resolve) => world.clock.after(ms, resolve)));
	const takeMishap = (call: Exchange): Mishap | undefined => {
		const index = armed.findIndex(({ methods, isMeant }) => methods.includes(call.method) && isMeant(call));
		return index === -1 ? undefined : armed.splice(index, 1)[0]?.mishap;
	};
	/** Nothing more is heard of it until the caller gives up, or the network works again. */
	const swallow = (timeoutMs: number) =>
		new Promise<Reply>((resolve) => {
			const end = () => {
				hanging.delete(end);
				cancel();
				resolve({ code: "ETIMEDOUT" });
			};
			const cancel = world.clock.after(timeoutMs, end);
			hanging.add(end);
		});

	async function act(exchange: Exchange, body: Body, onLeave: (leave: () => void) => void): Promise<Reply> {
		exchange.acted = acted += 1;
		const reply = await api.call({ token: api.token, method: exchange.method, body, onLeave });
		if (reply.kind === "cut") return { code: "ECONNRESET" };
		const result = "result" in reply.value && isRecord(reply.value.result) ? reply.value.result : undefined;
		if (exchange.method.startsWith("send")) exchange.messageId = result && numberOf(result, "message_id");
		return { text: JSON.stringify(reply.value) };
	}

	async function travel(exchange: Exchange, body: Body, line: { timeoutMs: number; onLeave(leave: () => void): void }): Promise<Reply> {
		const { life } = exchange;
		const mishap = blocked === "refused" ? "refused" : blocked === "swallowed" ? "silent-before" : takeMishap(exchange);
		if (mishap !== undefined) world.count(`telegram: ${mishap}`);
		await pass(delay());
		switch (mishap) {
			case "refused":
				return { code: "ECONNREFUSED" };
			case "cut-before":
				return { code: "ECONNRESET" };
			case "silent-before":
				return swallow(line.timeoutMs);
			case "502-before":
				// Whoever is told so cannot know that nothing was done.
				exchange.isInDoubt = true;
				return refusal(502, "Bad Gateway");
			case "429":
				toldToWaitAt = world.clock.elapsed();
				return refusal(429, `Too Many Requests: retry after ${WAIT_S}`, { retry_after: WAIT_S });
			default:
		}
		const reply = await act(exchange, body, line.onLeave);
		if (mishap !== undefined && exchange.messageId !== undefined) exchange.isInDoubt = true;
		if (mishap === "kill-after" && life.isAlive()) world.host.kill();
		if (mishap === "power-cut-after" && life.isAlive()) world.host.cutPower();
		if (mishap === "cut-after") return { code: "ECONNRESET" };
		if (mishap === "silent-after") return swallow(line.timeoutMs);
		if (mishap === "502-after") return refusal(502, "Bad Gateway");
		await pass(delay());
		return reply;
	}

	function call(life: Life, method: string, body: Body, timeoutMs: number, underWay: Set<UnderWay>): Promise<string> {
		return new Promise((resolve, reject) => {
			// Whoever has died asks for nothing, and hears nothing.
			if (!life.isAlive()) return;
			for (const listener of listeners) listener({ method, params: body.params }, life);
			const exchange: Exchange = {
				...{ method, life, at: world.clock.elapsed(), chatId: numberOf(body.params, "chat_id"), text: textOf(body.params) },
				...{ about: numberOf(body.params, "message_id"), acted: undefined, messageId: undefined, heardAt: undefined, isInDoubt: false },
			};
			const counts = !UNHEARD.has(method);
			if (counts) {
				exchanges.push(exchange);
				busy += 1;
				const { chatId, about } = exchange;
				const where = [chatId, about === undefined ? undefined : `message ${about}`].filter((part) => part !== undefined);
				world.trace.note(`bot: ${method} ${where.join(" ")} ${exchange.text.slice(0, 60)}`);
			}
			let isOver = false;
			const settle = (reply: Reply) => {
				if (isOver) return;
				isOver = true;
				underWay.delete(mine);
				if (counts) {
					busy -= 1;
					lastAt = world.clock.elapsed();
				}
				if (!life.isAlive()) {
					exchange.isInDoubt = true;
					return;
				}
				if ("code" in reply) reject(Object.assign(new Error(`network: ${reply.code}`), { code: reply.code }));
				else {
					exchange.heardAt = world.clock.elapsed();
					if (exchange.messageId !== undefined) world.trace.note(`bot: that is message ${exchange.messageId}`);
					resolve(reply.text);
				}
			};
			const mine: UnderWay = { fail: (code) => settle({ code }), leave: () => undefined };
			underWay.add(mine);
			const onLeave = (leave: () => void) => {
				mine.leave = leave;
			};
			void travel(exchange, body, { timeoutMs, onLeave }).then(settle);
		});
	}

	return {
		exchanges,
		openLine:
			(life) =>
			({ timeoutSeconds }): BotLine => {
				const underWay = new Set<UnderWay>();
				const wire = new Api(api.token);
				wire.config.use(async (_, method, payload) =>
					JSON.parse(await call(life, method, await bodyOf(payload), timeoutSeconds * 1000, underWay)),
				);
				return {
					raw: wire.raw,
					file: () => Promise.reject(Object.assign(new Error("no files here"), { code: "ENOTFOUND" })),
					destroy() {
						if (!life.isAlive()) return;
						for (const each of [...underWay]) {
							each.leave();
							each.fail("ECONNRESET");
						}
					},
				};
			},
		arm: (methods, mishap, isMeant = () => true) => void armed.push({ methods, mishap, isMeant }),
		block(how) {
			blocked = how;
		},
		setLatency(ms) {
			latencyMs = ms;
		},
		mend() {
			armed.length = 0;
			blocked = undefined;
			latencyMs = 0;
			for (const end of [...hanging]) end();
		},
		// Whoever was told to wait goes on afterwards.
		isQuietFor: (ms) => busy === 0 && world.clock.elapsed() - lastAt >= ms && world.clock.elapsed() - toldToWaitAt >= 1_000 * (WAIT_S + 1),
		onCall: (listener) => void listeners.add(listener),
	};
}

const refusal = (code: number, description: string, parameters?: object): Reply => ({
	text: JSON.stringify({ ok: false, error_code: code, description, ...(parameters === undefined ? {} : { parameters }) }),
});

/** As it looks on the wire: files beside the fields that name them. */
async function bodyOf(payload: object): Promise<Body> {
	const files: UploadedFile[] = [];
	const fields: Params = {};
	for (const [field, value] of Object.entries(payload)) {
		if (!(value instanceof InputFile)) fields[field] = value;
		else {
			const bytes = await value.toRaw();
			if (!(bytes instanceof Uint8Array)) throw new Error("A file that is no bytes.");
			files.push({ field, filename: value.filename ?? "file", mimeType: "text/plain", bytes });
			fields[field] = `attach://${field}`;
		}
	}
	const params: unknown = JSON.parse(JSON.stringify(fields));
	return { params: isRecord(params) ? params : {}, files };
}

const textOf = (params: Params) =>
	typeof params.text === "string" ? params.text : typeof params.caption === "string" ? params.caption : "";
