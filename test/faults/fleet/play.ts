import { createRandom } from "../random.ts";
import { wait } from "../wait.ts";
import type { FleetFault } from "./fault.ts";
import { openStage, type Stage } from "./stage.ts";
import type { FleetWorld } from "./world.ts";

/** What became of one fault. */
export interface FleetResult {
	number: number;
	seed: number;
	findings: string[];
	measured: string[];
	/** Nothing of it was played, and why. */
	notPlayed?: string;
	ms: number;
	/** What the pages heard last, when something was found. */
	trace?: string[];
}

/** One fault in a world that works before it; afterwards everything is mended and every promise is checked. */
export async function playFault(world: FleetWorld, fault: FleetFault, seed: number): Promise<FleetResult> {
	const began = Date.now();
	const result = (findings: string[], measured: string[] = []) => ({
		number: fault.number,
		seed,
		findings,
		measured,
		ms: Date.now() - began,
	});
	if (fault.play === undefined) return { ...result([]), notPlayed: fault.notPlayed ?? "" };
	let stage: Stage;
	try {
		await mend(world);
		await world.settle();
		stage = await openStage(world, `${fault.number}-${seed}`);
	} catch (error) {
		// What an earlier fault left broken is a finding, and the next one may do better.
		return result([`The world does not work before the fault: ${error instanceof Error ? error.message : String(error)}`]);
	}
	try {
		await fault.play(stage, createRandom(seed * 100 + fault.number));
		const skipped = stage.skipped();
		await mend(world);
		await stage.end();
		const trace = stage.findings.length === 0 ? {} : { trace: stage.trace() };
		return { ...result(stage.findings, stage.measured), ...trace, ...(skipped === undefined ? {} : { notPlayed: skipped }) };
	} catch (error) {
		const said = error instanceof Error ? error.message : String(error);
		return { ...result([...stage.findings, said], stage.measured), trace: stage.trace() };
	} finally {
		stage.close();
		world.model.forget();
	}
}

/** Whatever is left of a fault is over: doors, routes, nodes and servers. */
async function mend({ seats, cluster }: FleetWorld): Promise<void> {
	for (const { doors } of Object.values(seats)) for (const door of doors.all) door.resume();
	await cluster.heal();
	for (const seat of Object.values(seats)) {
		const isDown = await Promise.race([seat.server.exited.then(() => true), wait(10).then(() => false)]);
		if (isDown) await seat.restart();
		else process.kill(seat.server.pid, "SIGCONT");
	}
}
