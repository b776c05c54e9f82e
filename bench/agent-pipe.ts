import { acpAgentCommand } from "../test/support/acp-agent/acp-agent.ts";
import { startServer } from "../test/support/server.ts";
import { type AgentSource, bareAgentSource, ourAgentSource } from "./support/agent-sources.ts";
import type { Benchmark } from "./support/benchmark.ts";
import { over, type Row, ratio, row } from "./support/row.ts";
import { withScratch } from "./support/scratch.ts";
import { startRelay } from "./support/start-relay.ts";
import { percentile } from "./support/statistics.ts";

const PER_SECOND = 100;

type Way = "bare" | "durable" | "ours";
type Company = "alone" | "beside";

/** From the pipe of an agent over ACP to a reader: what we add to a relay that does nothing else, alone and beside other busy agents. */
export const benchmark: Benchmark = {
	name: "agent-pipe",
	run: ({ quick }) =>
		withScratch(async (directory) => {
			const others = quick ? 3 : 9;
			const agents = JSON.stringify([{ id: "scripted", command: acpAgentCommand() }]);
			const server = await startServer({ env: { RIGHTSEAT_AGENTS: agents, RIGHTSEAT_LOG: "info" }, built: true });
			const relays = await Promise.all([startRelay("pipe", directory, others + 1), startRelay("pipe-durable", directory, others + 1)]);
			const ways: Record<Way, AgentSource> = {
				bare: bareAgentSource(relays[0]),
				durable: bareAgentSource(relays[1]),
				ours: ourAgentSource(server, "scripted"),
			};
			const ages = new Map<string, number[][]>();
			// In the short form only what is judged there: the rest needs a quiet disk.
			const plan: [Way, Company][] = [
				...(quick ? [] : ([["bare", "alone"]] as [Way, Company][])),
				...(quick ? [] : ([["durable", "beside"]] as [Way, Company][])),
				...([
					["durable", "alone"],
					["ours", "alone"],
					["ours", "beside"],
				] as [Way, Company][]),
			];
			// The first round starts the agents and warms every part; it does not count.
			for (let round = 0; round < (quick ? 1 : 5) + 1; round += 1)
				for (const [way, company] of plan) {
					const streams = company === "alone" ? 1 : others + 1;
					const count = round === 0 ? 10 : quick ? 40 : 500;
					const found = await ways[way].play({ streams, perSecond: PER_SECOND, count });
					if (round > 0) ages.set(`${way} ${company}`, [...(ages.get(`${way} ${company}`) ?? []), found]);
				}
			await Promise.all([server.close(), ...relays.map((relay) => relay.close())]);
			return {
				rows: rowsOf(
					(way, company, share) => (ages.get(`${way} ${company}`) ?? []).map((found) => percentile(found, share)),
					others,
					quick,
				),
			};
		}),
};

function rowsOf(at: (way: Way, company: Company, share: number) => number[], others: number, quick: boolean): Row[] {
	const title = `an agent's token, pipe to reader, ${PER_SECOND} tokens/s`;
	const beside = `beside ${others} busy agents`;
	const unit = "ms";
	const judged = [
		row({
			name: `${title}, p50: over a bare commit and relay`,
			unit,
			ours: at("ours", "alone", 0.5),
			limit: at("durable", "alone", 0.5),
			goal: over(1),
			quick,
		}),
		row({
			name: `${title}, p50: ${beside}, against alone`,
			unit,
			ours: at("ours", "beside", 0.5),
			limit: at("ours", "alone", 0.5),
			goal: ratio(2),
			quick,
		}),
	];
	if (quick) return judged;
	return [
		row({
			name: `${title}, p50: over a relay that stores nothing`,
			unit,
			ours: at("ours", "alone", 0.5),
			limit: at("bare", "alone", 0.5),
			goal: over(1),
			quick,
		}),
		...judged,
		row({
			name: `${title}, p50: ${beside}, over a bare commit and relay`,
			unit,
			ours: at("ours", "beside", 0.5),
			limit: at("durable", "beside", 0.5),
			goal: over(1),
			quick,
		}),
		row({
			name: `${title}, p99: over a bare commit and relay`,
			unit,
			ours: at("ours", "alone", 0.99),
			limit: at("durable", "alone", 0.99),
			quick,
		}),
		row({
			name: `${title}, p99: ${beside}, over a bare commit and relay`,
			unit,
			ours: at("ours", "beside", 0.99),
			limit: at("durable", "beside", 0.99),
			quick,
		}),
	];
}
