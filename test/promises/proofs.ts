/** One proof: what it shows, how it is repeated, and where its last result is read. */
export interface Proof {
	name: string;
	shows: string;
	/** As it is typed. */
	command: string;
	takes: string;
	/** From the root. */
	page: string;
	/** The last published result, out of the text of its page; undefined: the page says none. */
	result(page: string): string | undefined;
}

const first = (page: string, pattern: RegExp) => pattern.exec(page)?.slice(1).join(", ");
const day = (page: string) => first(page, /Played (20\d\d-\d\d-\d\d)/);
const held = (page: string) => {
	const found = first(page, /^(\d+ of \d+) hold\. Played/m);
	return found === undefined ? undefined : `${found} cases hold, ${day(page) ?? ""}`;
};

/** Every proof of the repository, in the order in which a doubter would ask for them. */
export const PROOFS: readonly Proof[] = [
	{
		name: "Promises",
		shows: "every sentence of SECURITY.md and reliability.md that promises something names a rule, and every rule a test that is there",
		command: "npm run promises",
		takes: "2 s",
		page: "docs/promises.md",
		result: (page) => first(page, /^(\d+ promises, \d+ rules)\.$/m),
	},
	{
		name: "Tests",
		shows:
			"those tests pass: type check, lint, unit, servers, real browsers, the real Copilot runtime, short forms of most of the proofs below",
		command: "npm test -- --strict",
		takes: "12 min",
		page: "docs/requirements.md",
		result: () => "in every run of CI",
	},
	{
		name: "Mutants",
		shows: "those tests fail when the product breaks: a written list of ways to break it, room by room, with a floor that only rises",
		command: "npm run mutants",
		takes: "35 min",
		page: "docs/mutation.md",
		result: (page) => first(page, /\*\*Score: (\d+ of \d+ noticed), \d+ survived\.\*\*/),
	},
	{
		name: "Simulation",
		shows:
			"the core, the store, the channels and the fleet in one process under one seed: crashes at every write, torn writes, lost and doubled frames, jumping clocks",
		command: "npm run simulate -- --rounds 100000 --seed 30 --keep-going",
		takes: "85 min; 10,000 rounds 10 min",
		page: "docs/simulation.md",
		result: (page) => first(page, /^(?:Result|Played|Published)[^\n]*?([\d,]+ rounds[^.\n]*)/m),
	},
	{
		name: "Faults",
		shows:
			"real processes, disks, browsers and chats, killed, cut, frozen and flooded: nothing lost, nothing twice, everything named within 5 s",
		command: "npm run faults -- --rounds 300 --seed 21",
		takes: "75 to 80 min",
		page: "docs/reliability.md",
		result: (page) => first(page, /^(\d+ rounds, \d+ faults injected).*?[Rr]ounds with (a broken promise: \d+)/m),
	},
	{
		name: "Soak",
		shows: "a fault a minute for hours: memory, descriptors, processes and disk stay flat",
		command: "npm run soak -- --hours 2",
		takes: "as long as it says",
		page: "docs/reliability.md",
		result: (page) => first(page, /^(\d+ rounds of one fault each) .*?(in \d+ minutes).*?[Rr]ounds with (a broken promise: \d+)/m),
	},
	{
		name: "Fleet faults",
		shows: "three hosts on a cluster of three NATS servers, and thirty-one ways to lose, double, delay and forge what they say",
		command: "npm run faults -- --fleet",
		takes: "15 min",
		page: "docs/fleet-proof.md",
		result(page) {
			const rows = [...page.matchAll(/^\| \d+ \| .+ \| (.+?) \| .+ \| (20[\d-]+), (seed \d+), .+ \|$/gm)];
			const broken = rows.filter(([, promises]) => promises !== "none").length;
			return rows[0] === undefined ? undefined : `${rows.length} faults, ${broken} with a broken promise, ${rows[0][2]}, ${rows[0][3]}`;
		},
	},
	{
		name: "Undo, at random",
		shows: "four actors, outsiders between any two steps, crashes and `kill -9`: no byte of anybody is lost, no other path changes",
		command: "npm run undo-proof -- --rounds 10000 --seed 2026",
		takes: "12 min",
		page: "docs/undo.md",
		result: (page) => first(page, /Result of (20\d\d-\d\d-\d\d).*?(seed \d+, [\d,]+ rounds: [^.]+)\./),
	},
	{
		name: "Undo, case by case",
		shows: "forty cases in which ways to undo have failed elsewhere",
		command: "npm run undo-proof -- --cases",
		takes: "1 min",
		page: "docs/undo.md",
		result: held,
	},
	{
		name: "Agents that misbehave",
		shows: "a scripted agent that dies, freezes, floods, lies and never ends, forty ways",
		command: "npm run test:agents -- --scripted",
		takes: "3 min",
		page: "docs/agents.md",
		result: held,
	},
	{
		name: "Real agents",
		shows: "eight agents from the npm registry with a scripted model behind them, each against every promise",
		command: "npm run test:agents",
		takes: "an hour and more, 2 GB to fetch",
		page: "docs/agents.md",
		result: (page) => first(page, /(\d+ promises were kept, none was broken)/),
	},
	{
		name: "Speed",
		shows: "every claim about time, size and memory as a ratio against a limit that is measured in the same run",
		command: "npm run bench",
		takes: "35 to 40 min",
		page: "docs/performance.md",
		result: () => "goal by goal on its page",
	},
];
