import type { BrowserPage } from "../browser-page.ts";
import { sayIn } from "../browser-page.ts";
import { crashTab, freezeTab, keptOnDevice, leaveAndReturn, leaveWithEnter, setHidden, shiftClock } from "../browser-tricks.ts";
import { lookAtTheMiddle } from "../browser-watch.ts";
import type { Fault } from "../fault.ts";
import type { Random } from "../random.ts";
import { sendSignal } from "../send-signal.ts";
import { wait } from "../wait.ts";
import type { World } from "../world.ts";

/** What happens to a page and to the browser around it. */
export const PAGE_FAULTS: Fault[] = [
	{
		name: "page-reload",
		breaks: "the browser's page is loaded again in mid-answer, sometimes twice at once",
		async inject(world, random) {
			const { tab } = pageOf(world);
			if (random.next() < 0.5) tab.reload({ waitUntil: "commit" }).catch(() => undefined);
			await tab.reload({ waitUntil: "commit" });
		},
	},
	{
		name: "page-send-reload",
		breaks: "a prompt is sent and the page loaded again in the same moment",
		async inject(world, random) {
			const page = pageOf(world);
			await leaveWithEnter(page.tab);
			await page.say(newPrompt("send-reload", random));
		},
	},
	{
		name: "page-hidden",
		breaks: "the tab is hidden, its connection dies there, and it is shown again",
		async inject(world, random) {
			const page = pageOf(world);
			const stayed = await lookAtTheMiddle(page);
			await setHidden(page.tab, true);
			if (random.next() < 0.5) world.proxy.cut();
			if (random.next() < 0.5) await freezeTab(page.tab, random.between(500, 4_000));
			else await wait(random.between(200, 2_000));
			await setHidden(page.tab, false);
			await wait(500);
			await stayed();
		},
	},
	{
		name: "page-second-tab",
		breaks: "a second tab is opened in mid-answer, speaks, and is closed at once",
		async inject(world, random) {
			const page = pageOf(world);
			const tab = await page.secondTab();
			const prompt = newPrompt("second-tab", random);
			await sayIn(tab, prompt);
			page.typed.push(prompt);
			if (random.next() < 0.5) await wait(random.between(0, 800));
			await tab.close();
		},
	},
	{
		name: "page-crash",
		breaks: "the page's process dies and the tab is opened again",
		async inject(world) {
			const page = pageOf(world);
			await crashTab(page.tab);
			await page.reopen();
		},
	},
	{
		name: "page-sleep",
		breaks: "the laptop sleeps: browser and server stand still, then both go on",
		async inject(world, random) {
			const page = pageOf(world);
			page.process.freeze();
			sendSignal([world.server.pid], "SIGSTOP");
			await wait(random.between(10_000, 20_000));
			sendSignal([world.server.pid], "SIGCONT");
			page.process.thaw();
		},
	},
	{
		name: "page-clock-jump",
		breaks: "the clock of the page jumps by eight hours",
		async inject(world) {
			const page = pageOf(world);
			await shiftClock(page.tab, 8 * 3_600_000);
			world.proxy.cut();
			await wait(1_000);
		},
		heal: (world) => pageOf(world).reopen(),
	},
	{
		name: "page-offline",
		breaks: "the browser is offline while prompts are typed, and loaded again there",
		async inject(world, random) {
			const page = pageOf(world);
			const { context } = page.process;
			await context.setOffline(true);
			world.proxy.cut();
			const first = newPrompt("offline", random);
			await page.say(first);
			await keptOnDevice(page.tab, first);
			await page.tab.reload({ waitUntil: "commit" });
			await page.say(newPrompt("offline-again", random));
			await wait(random.between(0, 1_500));
			await context.setOffline(false);
		},
	},
	{
		name: "page-network-switch",
		breaks: "the network changes in the moment of sending",
		async inject(world, random) {
			const page = pageOf(world);
			const sent = page.say(newPrompt("switch", random));
			await wait(random.between(0, 40));
			world.proxy.halfOpen();
			world.proxy.refuse();
			await sent;
			await wait(random.between(100, 1_000));
			world.proxy.resume();
		},
	},
	{
		name: "page-back-forward",
		breaks: "the reader goes to another page and comes back",
		inject: (world, random) => leaveAndReturn(pageOf(world).tab, random.between(100, 2_000)),
	},
	{
		name: "page-killed",
		breaks: "the browser is killed with a prompt in its outbox and started again",
		async inject(world, random) {
			const page = pageOf(world);
			world.proxy.refuse();
			world.proxy.cut();
			const prompt = newPrompt("killed", random);
			await page.say(prompt);
			await keptOnDevice(page.tab, prompt);
			await page.killAndStart(() => world.proxy.resume());
		},
	},
];

export function pageOf(world: World): BrowserPage {
	if (world.page === undefined) throw new Error("This fault needs a browser, and there is none.");
	return world.page;
}

const newPrompt = (name: string, random: Random) => `typed-${name}-${random.between(0, 1e9)}`;
