import { expect, test } from "vitest";
import type { Target } from "./kill.ts";
import { withoutNative } from "./native.ts";
import { createOrphans, MAX_RECENT } from "./orphans.ts";
import type { ProcessEntry } from "./processes.ts";

const own: ProcessEntry = { pid: process.pid, parent: 1, group: 1, session: 1, start: "1", zombie: false, tag: undefined };
/** No process has such a number, so nothing can be found in its open files. */
const orphan = (number: number, start: number): ProcessEntry => {
	const pid = 90_000_000 + number;
	return { pid, parent: process.pid, group: pid, session: pid, start: String(start), zombie: false, tag: undefined };
};
const target = (start: number): Target => ({
	pid: 80_000_000 + start,
	start: String(start),
	tag: `tag.${start}`,
	pipe: undefined,
	settledAt: undefined,
	orphans: new Set(),
});

function createBed() {
	let targets: Target[] = [];
	let now = 0;
	const orphans = createOrphans({
		native: { ...withoutNative, subreaper: true },
		started: new Set(),
		targets: () => targets,
		now: () => now,
	});
	return {
		begin(...begun: Target[]) {
			targets = [...targets, ...begun];
		},
		/** Its bash ends; with `gone` nothing of it is left. */
		settle(which: Target, at: number, gone = true) {
			now = at;
			orphans.settled(which);
			if (gone) targets = targets.filter((other) => other !== which);
		},
		look: (...entries: ProcessEntry[]) => orphans.claim(new Map([own, ...entries].map((entry) => [entry.pid, entry]))),
	};
}
const owned = (...targets: Target[]) => targets.map((one) => one.orphans.size);

test("[SH105] an orphan that could be of two commands stays nobody's when one of them has ended", () => {
	const bed = createBed();
	const [older, parent] = [target(100), target(200)];
	bed.begin(older, parent);
	const service = orphan(1, 250);
	bed.look(service);
	expect(owned(older, parent)).toEqual([0, 0]);
	bed.settle(parent, 300);
	bed.look(service);
	expect(owned(older, parent)).toEqual([0, 0]);
});

test("[SH105] an orphan that is first seen after its command has ended is not given to another one that ran then", () => {
	const bed = createBed();
	const [older, parent, later] = [target(100), target(200), target(10_000)];
	bed.begin(older, parent);
	bed.settle(parent, 300);
	const service = orphan(1, 250);
	bed.look(service);
	bed.begin(later);
	bed.look(service);
	bed.settle(older, 11_000);
	bed.look(service);
	expect(owned(older, parent, later)).toEqual([0, 0, 0]);
});

test("[SH105] an orphan belongs to the one command that ran when it appeared, also if others came since", () => {
	const bed = createBed();
	const [parent, later] = [target(100), target(1_000)];
	bed.begin(parent, later);
	bed.look(orphan(1, 500));
	expect(owned(parent, later)).toEqual([1, 0]);
	bed.settle(later, 2_000);
	bed.look(orphan(1, 500), orphan(2, 5_000));
	expect(owned(parent)).toEqual([2]);
});

test("[SH105] what appears while no command runs belongs to the only one that left something, unless somebody unknown is there too", () => {
	const bed = createBed();
	const parent = target(100);
	bed.begin(parent);
	bed.settle(parent, 200, false);
	bed.look(orphan(1, 900));
	expect(owned(parent)).toEqual([1]);
	const [first, second] = [target(1_000), target(1_001)];
	bed.begin(first, second);
	const unknown = orphan(2, 1_100);
	bed.look(orphan(1, 900), unknown);
	bed.settle(first, 1_200);
	bed.settle(second, 1_201);
	bed.look(orphan(1, 900), unknown, orphan(3, 9_000));
	expect(owned(parent, first, second)).toEqual([1, 0, 0]);
});

test("[SH105] ended commands that are remembered are bounded", () => {
	const bed = createBed();
	const parent = target(100);
	bed.begin(parent);
	for (let i = 0; i < MAX_RECENT; i++) bed.settle(target(101 + i), 5_000);
	bed.look(orphan(1, 4_000));
	expect(owned(parent)).toEqual([0]);
	const next = createBed();
	next.begin(parent);
	next.settle(target(101), 150);
	for (let i = 0; i < MAX_RECENT; i++) next.settle(target(6_000 + i), 7_000);
	next.look(orphan(1, 140));
	expect(owned(parent)).toEqual([1]);
});
