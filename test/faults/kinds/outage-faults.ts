import { lookAtTheMiddle, SILENT_NOTICE_MS, TOLD_NOTICE_MS, watchOutage } from "../browser-watch.ts";
import type { Fault } from "../fault.ts";
import { pageOf } from "./page-faults.ts";

/** Outages that last until the browser's page has named them; afterwards it must come back without a click. */
export const OUTAGE_FAULTS: Fault[] = [
	{
		name: "page-outage",
		breaks: "the browser's network refuses everything until the page says so",
		async inject(world) {
			const page = pageOf(world);
			const stayed = await lookAtTheMiddle(page);
			await watchOutage(page, {
				noticeMs: TOLD_NOTICE_MS,
				cause() {
					world.proxy.refuse();
					world.proxy.cut();
				},
				heal: () => world.proxy.resume(),
			});
			await stayed();
		},
	},
	{
		name: "page-silence",
		breaks: "the browser's network swallows everything until the page says so",
		async inject(world) {
			await watchOutage(pageOf(world), {
				noticeMs: SILENT_NOTICE_MS,
				cause: () => world.proxy.freeze(),
				heal() {
					world.proxy.cut();
					world.proxy.resume();
				},
			});
		},
	},
	{
		name: "page-unplugged",
		breaks: "the browser learns that it is offline while its connection only falls silent",
		async inject(world) {
			const { process } = pageOf(world);
			await watchOutage(pageOf(world), {
				noticeMs: TOLD_NOTICE_MS,
				async cause() {
					world.proxy.freeze();
					await process.context.setOffline(true);
				},
				async heal() {
					world.proxy.cut();
					world.proxy.resume();
					await process.context.setOffline(false);
				},
			});
		},
	},
	{
		name: "page-server-down",
		breaks: "the server is killed and stays away until the page says so",
		async inject(world) {
			await watchOutage(pageOf(world), {
				noticeMs: TOLD_NOTICE_MS,
				cause: async () => void (await world.server.kill("SIGKILL")),
				heal: () => world.revive(),
			});
		},
	},
];
