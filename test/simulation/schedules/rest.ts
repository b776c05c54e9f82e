import { scheduleId } from "../../../packages/server/src/core/kernel/ids.ts";
import { rowsOf } from "./examine-schedules.ts";
import type { ScheduleScene } from "./schedules-part.ts";

/** What comes sooner than this would begin while everything is examined. */
const SOON_MS = 2_000;

/** People pause what would come every minute for ever; true when nothing is due and no run is halfway. */
export function comeToRest(scene: ScheduleScene): boolean {
	const { world } = scene;
	const running = scene.service();
	if (running === undefined || running.life.opened.health().state !== "ok") return false;
	const rows = rowsOf(running.life).filter(({ paused, gone }) => !paused && !gone);
	if (rows.some(({ nextRun }) => nextRun !== null && nextRun <= world.clock.now() + SOON_MS)) return false;
	const endless = rows.filter(({ at }) => at === null);
	for (const { id, marker } of endless) {
		const known = scene.known.get(marker);
		if (known !== undefined) Object.assign(known, { paused: undefined, pauses: known.pauses + 1 });
		scene.ask(running.schedules.update(scheduleId(id), { paused: true }), () => undefined);
	}
	if (endless.length > 0) return false;
	return running.life.disk.look("SELECT 1 FROM schedule_runs WHERE state = 'starting'").length === 0;
}
