import { mkdirSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import type { Clock } from "../../../packages/server/src/core/kernel/clock.ts";
import { openStore } from "../../../packages/server/src/store/open-store.ts";
import { loadSqlite } from "../../../packages/server/src/store/sqlite/sqlite-loader.ts";
import { mortal } from "../../support/fake-clock.ts";
import { createLifeDisk, databaseAt, type LifeDisk, replaceDatabase, type SyncMode } from "./disk.ts";
import { type Operation, SimulatedDeath, sqliteError, watchedEngine } from "./engine.ts";
import { createLife, createLogger, type Life } from "./life.ts";
import type { World } from "./part.ts";

export interface HostOptions {
	readonly name: string;
	/** It computes the chains of its logs, as hosts of a fleet do. */
	readonly isInFleet?: boolean;
	/** The clock of its next process, if it is not the world's own. */
	readonly createTime?: () => { readonly clock: Clock; die(): void };
}

/** How a process dies: at one of its next calls to the disk, before or after it, with the power or alone. */
export interface PlannedDeath {
	calls: number;
	at: Operation | "any";
	when: "before" | "after";
	isPowerCut: boolean;
}

/** A machine with a server on it: lives come and go, the disk stays. */
export interface Host {
	readonly name: string;
	/** Undefined while no process runs. */
	readonly life: Life | undefined;
	/** Begins the next process. It may die in the middle of its start, as planned; then there is none. */
	start(): void;
	kill(): void;
	cutPower(): void;
	/** In order: the channels are told, core has three seconds, the store is closed. Time has to pass for that. */
	stop(): Promise<void>;
	planDeath(death: PlannedDeath): void;
	setSync(mode: SyncMode): void;
	/** The disk is full but for so many pages. */
	fill(pages: number): void;
	/** The next commits fail, or the next transactions find the database locked. */
	failNext(fault: "disk" | "busy", times: number): void;
	/** A copy of its disk, as a process would find it that begins now: where it lies. Undefined while none runs. */
	copyDisk(): string | undefined;
	/** The process is killed, and the next one finds that copy, or what `change` makes of it. */
	putBack(copy: string, change?: (path: string) => void): void;
	/** All of that is over. */
	mend(): void;
	/** Lets go of what dead processes held; between two steps, when nothing of them is on the stack. */
	bury(): void;
	close(): void;
}

/** Who hears of lives. */
export interface HostHooks {
	started(host: Host, life: Life): void;
	stopping(host: Host, life: Life): Promise<void>;
	ended(host: Host, life: Life): void;
}

/** Time that core has for an orderly stop. */
const GRACE_MS = 3_000;
const SQLITE_BUSY = 5;
const SQLITE_IOERR_WRITE = 778;

interface Process {
	disk: LifeDisk;
	isOpen: boolean;
	die(): void;
}

export function createHost(world: World, options: HostOptions & { root: string; template: Buffer }, hooks: HostHooks): Host {
	const agentMemory = { sessions: new Set<string>(), forked: new Set<string>() };
	const random = world.random(`disk of ${options.name}`);
	const { trace } = world;
	let life: Life | undefined;
	/** Also while it starts. */
	let current: Process | undefined;
	let dead: Process[] = [];
	let lives = 0;
	let boots = 0;
	let copies = 0;
	let dying: PlannedDeath | undefined;
	let failing: { fault: "disk" | "busy"; times: number } | undefined;
	let sync: SyncMode = { kind: "fast" };
	let room: number | undefined;

	const pathOf = (number: number) => databaseAt(options.root, options.name, number);
	mkdirSync(dirname(pathOf(0)), { recursive: true });
	writeFileSync(pathOf(0), options.template);

	/** The process is no more; what the next one finds was taken before. */
	function end(victim: Process): void {
		const gone = life;
		current = undefined;
		life = undefined;
		[dying, failing] = [undefined, undefined];
		victim.die();
		dead.push(victim);
		if (gone !== undefined) hooks.ended(host, gone);
	}
	/** What the next process finds is what is there in this very moment; whatever the dead one still tries does nothing. */
	function die(isPowerCut: boolean): void {
		if (current === undefined) return;
		if (isPowerCut && current.isOpen) current.disk.powerCut(pathOf(lives), random);
		else current.disk.killed(pathOf(lives));
		if (isPowerCut) boots += 1;
		trace.note(`${options.name}: ${isPowerCut ? "power cut" : "killed"}`);
		end(current);
	}

	function reach(operation: Operation, when: "before" | "after"): void {
		if (dying === undefined || dying.when !== when || (dying.at !== "any" && dying.at !== operation)) return;
		dying.calls -= 1;
		if (dying.calls > 0) return;
		world.count(`died ${when} a ${operation}`);
		if (current?.isOpen === false) world.count("died while starting");
		die(dying.isPowerCut);
		throw new SimulatedDeath("The process has died.");
	}
	function fail(operation: Operation, rollBack: () => void): void {
		if (failing === undefined || failing.times <= 0 || operation !== (failing.fault === "busy" ? "begin" : "commit")) return;
		failing.times -= 1;
		world.count(`SQLite said ${failing.fault}`);
		if (failing.fault === "busy") throw sqliteError(SQLITE_BUSY, "database is locked");
		rollBack();
		throw sqliteError(SQLITE_IOERR_WRITE, "disk I/O error");
	}

	function begin(): Life | undefined {
		let isAlive = true;
		const number = lives;
		const time = options.createTime?.() ?? mortal(world.clock);
		const disk = createLifeDisk(pathOf(number), time.clock, () => isAlive);
		const own: Process = {
			disk,
			isOpen: false,
			die() {
				isAlive = false;
				time.die();
			},
		};
		const engine = watchedEngine(real, {
			path: disk.path,
			before(operation, rollBack) {
				if (!isAlive) throw new SimulatedDeath("This process has died.");
				reach(operation, "before");
				if (life !== undefined) fail(operation, rollBack);
			},
			after: (operation) => reach(operation, "after"),
			opened: disk.opened,
		});
		lives += 1;
		current = own;
		disk.fill(room);
		try {
			const logger = createLogger(world, () => isAlive);
			const clock = dyingQuietly(time.clock);
			const opened = openStore({
				...{ path: disk.path, clock, logger, ids: world.ids, bootId: `boot ${boots}` },
				...{ engine, syncer: disk.syncer, isSingleThreaded: true },
			});
			own.isOpen = true;
			// Every start folds the -wal into the database.
			disk.syncedAll();
			const isInFleet = options.isInFleet === true;
			return createLife({ world, number, opened, disk, logger, agentMemory, isInFleet, clock, isAlive: () => isAlive });
		} catch (error) {
			if (isAlive || !(error instanceof SimulatedDeath)) throw error;
			return undefined;
		}
	}

	const host: Host = {
		name: options.name,
		get life() {
			return life;
		},
		start() {
			if (current !== undefined) return;
			const begun = begin();
			if (begun === undefined || !begun.isAlive()) return;
			life = begun;
			begun.disk.setSync(sync);
			trace.note(`${options.name}: life ${begun.number}`);
			try {
				hooks.started(host, begun);
			} catch (error) {
				// It may die while channels begin.
				if (begun.isAlive() || !(error instanceof SimulatedDeath)) throw error;
			}
		},
		kill: () => die(false),
		cutPower: () => die(true),
		async stop() {
			const closing = life;
			if (closing === undefined) return;
			await hooks.stopping(host, closing);
			await closing.conversations.close(GRACE_MS);
			await closing.shell.close();
			await closing.opened.close();
			if (!closing.isAlive() || current === undefined) return;
			current.disk.killed(pathOf(lives));
			trace.note(`${options.name}: stopped`);
			world.count("stopped in order");
			end(current);
		},
		planDeath(death) {
			dying = death;
		},
		setSync(mode) {
			sync = mode;
			current?.disk.setSync(mode);
		},
		fill(pages) {
			room = pages;
			current?.disk.fill(pages);
		},
		copyDisk() {
			if (current === undefined) return undefined;
			const copy = databaseAt(options.root, `${options.name}-copy`, copies++);
			current.disk.killed(copy);
			return copy;
		},
		putBack(copy, change) {
			die(false);
			replaceDatabase(copy, pathOf(lives));
			change?.(pathOf(lives));
		},
		failNext(fault, times) {
			failing = { fault, times };
		},
		mend() {
			[dying, failing, room, sync] = [undefined, undefined, undefined, { kind: "fast" }];
			current?.disk.fill(undefined);
			current?.disk.setSync(sync);
		},
		bury() {
			for (const { disk } of dead) disk.bury();
			dead = [];
		},
		close() {
			if (current !== undefined) {
				current.die();
				dead.push(current);
				[current, life] = [undefined, undefined];
			}
			host.bury();
		},
	};
	return host;
}

const real = loadSqlite();

/** A process that dies in the middle of something that it had planned is gone; nobody was waiting for that. */
function dyingQuietly(clock: Clock): Clock {
	const quietly = (run: () => void) => () => {
		try {
			run();
		} catch (error) {
			if (!(error instanceof SimulatedDeath)) throw error;
		}
	};
	return { ...clock, after: (delayMs, run) => clock.after(delayMs, quietly(run)), soon: (run) => clock.soon(quietly(run)) };
}
