import type { CommandDeps } from "../cli/commands.ts";
import type { ServiceManager } from "./manager.ts";
import type { RunTool } from "./run-tool.ts";
import type { ServicePlace, Supervisor } from "./service-place.ts";
import type { Launch } from "./systemd-unit.ts";
import type { ServiceWords } from "./words.ts";

/** Time, as far as these commands wait. */
export interface ServiceTime {
	now(): number;
	wait(ms: number): Promise<void>;
}

/** What the commands about the service of one home work with. */
export interface ServiceDeps {
	cli: CommandDeps;
	words: ServiceWords;
	supervisor: Supervisor;
	place: ServicePlace;
	manager: ServiceManager;
	/** How this very installation is started. */
	launch: Launch;
	run: RunTool;
	/** Asks the person; undefined where nobody sits before a terminal. */
	ask: ((question: string) => Promise<boolean>) | undefined;
	time: ServiceTime;
	/** Of the disk that a folder, or the nearest one above it that is there, lies on. */
	disk(folder: string): { freeBytes: number; device: number };
}
