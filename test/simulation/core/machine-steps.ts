import type { Operation } from "../frame/engine.ts";
import type { Step } from "../frame/part.ts";
import { pickBy } from "../frame/plan.ts";
import type { CoreScene } from "./core-part.ts";

type Play = (step: Step) => void | Promise<void>;

const OPERATIONS: readonly (Operation | "any")[] = ["any", "write", "commit", "commit", "begin"];
/** A stop has seconds for each of its parts; none may take longer than all of them together. */
const STOP_MS = 20_000;
const HOUR_MS = 3_600_000;

/** What happens to the machine: time, disk, power. */
export function machineSteps({ world }: CoreScene): Record<string, Play> {
	const dies = (isPowerCut: boolean) => (step: Step) => {
		const at = pickBy(OPERATIONS, step.b) ?? "any";
		const calls = 1 + Math.floor(step.a ** 2 * (at === "any" ? 60 : 12));
		world.host.planDeath({ calls, at, when: step.c < 0.5 ? "before" : "after", isPowerCut });
	};
	return {
		time: (step) => world.clock.advance(Math.floor(step.a * 500)),
		"long-time": (step) => world.clock.advance(pickBy([3_500, 31_000, 125_000, 610_000], step.a) ?? 0),
		"clock-jumps": (step) => world.clock.jump(pickBy([-HOUR_MS, -1_000, 1_000, HOUR_MS, 24 * HOUR_MS], step.a) ?? 0),
		"disk-slow": (step) => world.host.setSync({ kind: "slow", ms: 5 + Math.floor(step.a * 400) }),
		"disk-stuck": () => world.host.setSync({ kind: "stuck" }),
		"disk-fast": () => world.host.setSync({ kind: "fast" }),
		"disk-fails": () => world.host.setSync({ kind: "failing" }),
		"disk-full": (step) => world.host.fill(Math.floor(step.a ** 2 * 6)),
		"disk-free": () => world.host.fill(1_000_000),
		"disk-refuses": (step) => world.host.failNext("disk", 1 + Math.floor(step.a * 4)),
		"database-locked": (step) => world.host.failNext("busy", 1 + Math.floor(step.a * 6)),
		kill: () => world.host.kill(),
		"power-cut": () => world.host.cutPower(),
		"crash-on-full-disk"(step) {
			world.host.fill(Math.floor(step.a * 2));
			if (step.b < 0.5) world.host.kill();
			else world.host.cutPower();
			if (step.c < 0.7) world.host.start();
		},
		"kill-in-disk": dies(false),
		"power-cut-in-disk": dies(true),
		start: () => world.host.start(),
		async stop() {
			const stopping = world.host.life;
			if (stopping === undefined) return;
			void world.host.stop();
			await world.clock.advance(STOP_MS);
			if (world.host.life === stopping) world.violate("stop-ends", "The server still runs 20 s after it was told to stop.");
		},
	};
}
