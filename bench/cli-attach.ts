import { startPtyCli } from "../test/support/pty-cli.ts";
import { startServer } from "../test/support/server.ts";
import type { Benchmark } from "./support/benchmark.ts";
import { openReader } from "./support/readers.ts";
import { stampMs } from "./support/relay-protocol.ts";
import { over, row } from "./support/row.ts";
import { startModel } from "./support/start-model.ts";
import { percentile } from "./support/statistics.ts";

/** How old a stamped token is when it stands in the terminal of `attach`, against another reader of the same conversation. */
export const benchmark: Benchmark = {
	name: "cli-attach",
	async run({ quick }) {
		const model = await startModel();
		const server = await startServer({ env: { RIGHTSEAT_PROVIDER_URL: model.url, RIGHTSEAT_LOG: "info" }, built: true });
		const { conversation } = await (await server.api("/api/conversations", { method: "POST", json: { title: "Bench" } })).json();
		const conversationId = String(conversation.id);
		const terminal = startPtyCli(["attach", conversationId], { home: server.home, built: true, columns: 120 });
		await terminal.until(/Bench/);
		const read: number[] = [];
		const other = await openReader({ url: server.url, headers: { authorization: `Bearer ${server.token}` } }, conversationId, read);
		const sender = await server.ws();
		const drawn = agesOf();
		terminal.onData(drawn.take);
		const ages = { ours: [] as number[][], limit: [] as number[][] };
		for (let round = -1; round < (quick ? 1 : 5); round += 1) {
			await model.script({ tokens: { count: round < 0 ? 20 : quick ? 100 : 400, perSecond: 100 } });
			drawn.reset();
			read.splice(0);
			const idle = sender.next("copilot:idle");
			const from = terminal.text().length;
			sender.send({ type: "copilot:send", data: { conversationId, prompt: "Go" } });
			await idle;
			await terminal.until(/■ done/, from);
			if (round < 0) continue;
			ages.ours.push(drawn.ages());
			ages.limit.push([...read]);
		}
		terminal.type("\u0004");
		await terminal.exited;
		other.terminate();
		await sender.close();
		await server.close();
		model.close();
		const rows = (
			[
				["p50", 0.5],
				["p99", 0.99],
			] as const
		).map(([name, share]) =>
			row({
				name: `a delta in the terminal of attach, 100 tokens/s, ${name}`,
				unit: "ms",
				ours: ages.ours.map((found) => percentile(found, share)),
				limit: ages.limit.map((found) => percentile(found, share)),
				goal: over(20),
				quick,
			}),
		);
		return { rows };
	},
};

/** Ages of stamps in what a terminal is sent, each when it comes first: the open line is drawn again with every piece. */
function agesOf() {
	const seen = new Map<string, number>();
	let rest = "";
	return {
		take(data: string): void {
			const text = rest + data;
			for (const [stamp] of text.matchAll(/\d{13}\.\d{3}/g)) if (!seen.has(stamp)) seen.set(stamp, stampMs() - Number(stamp));
			rest = text.slice(-16);
		},
		reset: () => seen.clear(),
		ages: () => [...seen.values()],
	};
}
