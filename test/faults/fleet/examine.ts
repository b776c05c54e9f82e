/** How soon after healing every view must be what the owner has. */
export const EQUAL_WITHIN_MS = 10_000;

/** A snapshot of a running turn holds at least so much of its end. */
const MIN_TAIL_CHARS = 131_072;

/** What one page shows at the end. */
export interface ShownView {
	name: string;
	lines: readonly string[];
	unfinished: string;
	epoch: string | undefined;
	seq: number | undefined;
	/** Events that came twice, out of order or after a gap. */
	disorder: readonly string[];
}

/** What was asked for, and whether the console was told that it is stored. */
export interface Asked {
	id: string;
	isAcked: boolean;
	/** It was younger than a state that was put back, or the process that had it was killed before it answered. */
	mayBeLost: boolean;
}

/** What a fault left behind. */
export interface Aftermath {
	/** What the owner's log holds, a line for each message. */
	stored: readonly string[];
	/** The same with very long ones as a page is given them that did not watch: their beginning only. */
	beginnings?: readonly string[];
	/** Where the owner's log ends. */
	head: { epoch: string; seq: number };
	views: readonly ShownView[];
	prompts: readonly Asked[];
	commands: readonly Asked[];
	/** How often each command really ran. */
	ran: ReadonlyMap<string, number>;
	/** How often the model was asked each prompt. */
	answered: ReadonlyMap<string, number>;
}

/** Every promise that holds after every fault. Each finding is a sentence; none is good. */
export function examineAftermath({ stored, beginnings = stored, head, views, prompts, commands, ran, answered }: Aftermath): string[] {
	const findings: string[] = [];
	for (const { id, isAcked, mayBeLost } of prompts) {
		const copies = stored.filter((line) => line === `user: ${id}`).length;
		if (copies > 1 || (isAcked && copies === 0 && !mayBeLost))
			findings.push(`The ${isAcked ? "acknowledged " : ""}prompt ${id} is ${copies} times in the owner's log.`);
		const asked = answered.get(id) ?? 0;
		if (asked > 1) findings.push(`The prompt ${id} ran ${asked} times.`);
	}
	for (const { id, isAcked, mayBeLost } of commands) {
		const times = ran.get(id) ?? 0;
		if (times > 1 || (isAcked && times === 0 && !mayBeLost))
			findings.push(`The ${isAcked ? "acknowledged " : ""}command ${id} ran ${times} times.`);
	}
	for (const view of views) findings.push(...examineView(view, { stored, beginnings, head }));
	return findings;
}

function examineView(view: ShownView, { stored, beginnings, head }: Required<Pick<Aftermath, "stored" | "beginnings" | "head">>): string[] {
	const findings = view.disorder.map((wrong) => `${view.name}: ${wrong}.`);
	if (view.unfinished !== "") findings.push(`${view.name} still shows an answer that never ended: …${view.unfinished.slice(-80)}`);
	if (view.epoch !== head.epoch || view.seq !== head.seq)
		findings.push(`${view.name} stands at ${view.epoch}/${view.seq}, the owner at ${head.epoch}/${head.seq}.`);
	const at = Math.max(view.lines.length, stored.length);
	const different = Array.from({ length: at }, (_, index) => index).find(
		(index) => view.lines[index] !== stored[index] && view.lines[index] !== beginnings[index] && !isTail(view.lines[index], stored[index]),
	);
	if (different !== undefined) {
		const [shown, kept] = [view.lines[different], stored[different]].map((line) => JSON.stringify(line?.slice(-120) ?? "nothing"));
		const lengths = [view.lines, stored, beginnings].map((lines) => lines[different]?.length ?? 0);
		findings.push(
			`${view.name} shows ${shown} where the owner has ${kept} (line ${different + 1} of ${at}; ${lengths.join(", ")} characters are shown, stored, listed).`,
		);
	}
	return findings;
}

/** Of a very long answer a page that came in the middle of it was given the end only. */
function isTail(shown = "", stored = ""): boolean {
	const text = shown.replace(/^\w+: /, "");
	return text.length >= MIN_TAIL_CHARS && stored.endsWith(text);
}
