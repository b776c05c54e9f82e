import { decodeServerFrame } from "@rightseat/protocol/frames/decode-server-frame";
import type { Host } from "../frame/host.ts";
import type { Life } from "../frame/life.ts";
import { fault, type JoinedPart, type Part, type StepKind, type World } from "../frame/part.ts";
import { examinePages, restPages } from "./examine-pages.ts";
import { createDevice, createPage, type Device, type SimulatedPage } from "./page.ts";
import { pageSteps } from "./page-steps.ts";
import { createWebSide, type WebSide } from "./web-side.ts";
import { createWire, type Wire } from "./wire.ts";

/** One browser: its device and network stay, pages come and go. */
export interface Browser {
	readonly name: string;
	readonly device: Device;
	readonly wire: Wire;
	page: SimulatedPage;
	/** Prompts and commands that were sent here: the client's id of each marker. */
	readonly sent: Map<string, string>;
}

export interface PagesScene {
	readonly world: World;
	readonly browsers: readonly Browser[];
	/** The same browser with a page that knows nothing but what the device kept. */
	reload(browser: Browser): void;
	/** A browser that was never here before. */
	addBrowser(name: string): Browser;
}

const KINDS: readonly StepKind[] = [
	{ name: "open", weight: 5 },
	{ name: "prompt", weight: 10 },
	{ name: "command", weight: 3 },
	{ name: "stop-turn", weight: 1 },
	{ name: "answer", weight: 3 },
	{ name: "decide", weight: 3 },
	{ name: "edit-queued", weight: 1 },
	{ name: "drop-queued", weight: 1 },
	{ name: "send-now", weight: 2 },
	{ name: "discard", weight: 1 },
	{ name: "try-again", weight: 1 },
	{ name: "rename", weight: 1 },
	{ name: "hide", weight: 2 },
	{ name: "show", weight: 3 },
	fault("reload", 3),
	fault("device-clock-jumps", 1),
	fault("browser-offline", 1),
	{ name: "browser-online", weight: 1 },
	fault("network-cut", 4),
	fault("network-down", 2),
	{ name: "network-up", weight: 5 },
	fault("network-silent", 2),
	fault("network-slow", 2),
	fault("frame-lost", 2),
	fault("frame-doubled", 2),
	fault("frame-late", 2),
	fault("frame-to-server-doubled", 2),
	fault("stops-reading", 2),
	{ name: "reads", weight: 4 },
	fault("agent-floods", 1),
	fault("power-cut-after-send", 1.5),
];

/** Pages as browsers have them, on networks that do what networks do. */
export const pagesPart: Part = {
	name: "pages",
	kinds: KINDS,
	invariants: {
		"pages-show-the-same":
			"At peace every page that has a conversation open shows the same, and what a page shows that is opened now for the first time.",
		"outbox-delivers": "What a page has sent is confirmed when the network is back, unless it was refused in words or taken back.",
		"page-understands": "No page gets a frame that the protocol does not know.",
	},
	covers: [
		...["a frame was lost", "a frame was doubled", "a frame was late", "a frame to the server was doubled", "a page was loaded again"],
		...["a page got a snapshot", "a page got a replay", "an acknowledgement reached a page", "a page was refused", "a reader was behind"],
	],
	join,
};

function join(world: World): JoinedPart {
	let side: { life: Life; web: WebSide } | undefined;
	const browsers: Browser[] = [];

	function addBrowser(name: string): Browser {
		const device = createDevice();
		const wire = createWire(world, (end) => {
			if (side?.life.isAlive() !== true) return false;
			side.web.accept(end);
			return true;
		});
		const sent = new Map<string, string>();
		const load = (): SimulatedPage => createPage(world, name, { device, wire, heard: (text) => hear(world, sent, text) });
		const browser: Browser = { name, device, wire, sent, page: load() };
		loaders.set(browser, load);
		browsers.push(browser);
		return browser;
	}
	const loaders = new Map<Browser, () => SimulatedPage>();
	const scene: PagesScene = {
		world,
		browsers,
		addBrowser,
		reload(browser) {
			world.count("a page was loaded again");
			browser.page.die();
			browser.page = loaders.get(browser)?.() ?? browser.page;
		},
	};
	const own = (host: Host) => host === world.host;
	return {
		play: pageSteps(scene),
		async begin() {
			for (const name of ["laptop", "phone"]) addBrowser(name);
			await world.clock.advance(50);
			const first = world.host.life?.conversations.list({ limit: 1 }).conversations[0];
			if (first !== undefined) for (const { page } of browsers) page.open(first.id);
		},
		started(host, life) {
			if (own(host)) side = { life, web: createWebSide(life) };
		},
		stopping(host) {
			if (own(host)) side?.web.close();
		},
		ended(host) {
			if (!own(host)) return;
			side = undefined;
			for (const { wire } of browsers) wire.serverGone();
		},
		calm() {
			for (const { wire, page } of browsers) {
				wire.calm();
				page.setVisible(true);
				page.networkBack();
			}
		},
		rest: () => restPages(scene),
		examine: () => examinePages(scene),
		close() {
			for (const { page } of browsers) page.die();
		},
	};
}

const EVENT = /^\{"type":"(?!copilot:snapshot)[^"]+","data":\{"conversationId":"([^"]+)","epoch":"([^"]+)","seq":(\d+)/;

/** A frame has reached a page: from here on the person may have seen it. */
function hear({ ledger, count, violate, trace }: World, sent: ReadonlyMap<string, string>, text: string): void {
	const event = EVENT.exec(text);
	if (event !== null) ledger.shown({ conversationId: event[1] ?? "", epoch: event[2] ?? "", seq: Number(event[3]), frame: text });
	if (event !== null) return;
	trace.note(`< ${text.length > 300 ? text.slice(0, 300) : text}`);
	const decoded = decodeServerFrame(text);
	if (decoded.kind !== "frame") violate("page-understands", text);
	if (decoded.kind !== "frame") return;
	const { frame } = decoded;
	if (frame.type === "copilot:snapshot") {
		count("a page got a snapshot");
		ledger.listed(frame.data.conversationId, frame.data.messages);
	}
	if (frame.type === "copilot:stream-status" && frame.data.mode === "delta") count("a page got a replay");
	if (frame.type === "copilot:nack") count("a page was refused");
	if (frame.type === "copilot:nack" && frame.data.code === "id-reused")
		violate("one-message", `What a page sent again is refused: ${text}`);
	if (frame.type !== "copilot:ack" || frame.data.clientMessageId === undefined) return;
	count("an acknowledgement reached a page");
	const marker = sent.get(frame.data.clientMessageId);
	if (marker !== undefined) ledger.acked(marker, frame.data.messageId);
}
