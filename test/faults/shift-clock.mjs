import { readFileSync } from "node:fs";

// Loaded into the server by NODE_OPTIONS: on SIGUSR2 the wall clock jumps by the milliseconds in the named file. Timers do not, as after a real jump.
const file = process.env.RIGHTSEAT_TEST_CLOCK_FILE;
if (file !== undefined && /main\.(ts|js)$/.test(process.argv[1] ?? "")) {
	const RealDate = Date;
	let shiftMs = 0;
	process.on("SIGUSR2", () => {
		shiftMs = Number(readFileSync(file, "utf8"));
	});
	globalThis.Date = new Proxy(RealDate, {
		construct: (target, args, newTarget) => Reflect.construct(target, args.length === 0 ? [RealDate.now() + shiftMs] : args, newTarget),
		get: (target, name) => (name === "now" ? () => RealDate.now() + shiftMs : Reflect.get(target, name)),
	});
}
