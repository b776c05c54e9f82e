import type { Fault } from "../fault.ts";
import { SILENT_NETWORK_MS } from "../named-state.ts";
import { wait } from "../wait.ts";

const LOST = [{ anyOf: ["lost"] }];

/** The network between one page and the server fails. */
export const NETWORK_FAULTS: Fault[] = [
	{
		name: "cut-network",
		breaks: "one page's connection is reset",
		shows: LOST,
		inject: (world) => world.proxy.cut(),
	},
	{
		name: "freeze-network",
		breaks: "one page's network swallows everything for a while",
		async inject(world, random) {
			world.proxy.freeze();
			await wait(random.between(500, 3_000));
			world.proxy.resume();
		},
	},
	{
		name: "silent-network",
		breaks: "one page's network swallows everything for longer than a page waits",
		shows: [{ anyOf: ["lost"], withinMs: SILENT_NETWORK_MS }],
		async inject(world) {
			world.proxy.freeze();
			await wait(11_000);
			world.proxy.resume();
		},
	},
	{
		name: "half-open",
		breaks: "one page's connection dies without a word to the server",
		shows: LOST,
		inject: (world) => world.proxy.halfOpen(),
	},
	{
		name: "slow-network",
		breaks: "one page's network is late by 200 ms",
		inject: (world) => world.proxy.delay(200),
		heal: (world) => world.proxy.resume(),
	},
	{
		name: "refused-network",
		breaks: "one page cannot connect at all for a while",
		shows: LOST,
		async inject(world, random) {
			world.proxy.refuse();
			world.proxy.cut();
			await wait(random.between(500, 3_000));
			world.proxy.resume();
		},
	},
];
