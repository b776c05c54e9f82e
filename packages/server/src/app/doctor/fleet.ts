import { statSync } from "node:fs";
import { AppError } from "../../core/kernel/errors.ts";
import type { Config, FleetConfig } from "../config/config.ts";
import { type Finding, failure, ok, warning } from "./finding.ts";

const SUBJECT = "fleet";
const LIMIT_MS = 8_000;

/** Whether this host can take part in its fleet: NATS, its place, and who can read the credentials. */
export async function checkFleet({ fleet, home }: Pick<Config, "fleet" | "home">): Promise<Finding> {
	if (fleet === undefined) return ok(SUBJECT, "off");
	const { credsFile } = fleet;
	if (credsFile !== undefined && isOpenToOthers(credsFile)) {
		return failure(SUBJECT, `other users can read ${credsFile}. Run: chmod 600 ${credsFile}`);
	}
	try {
		return await lookAt(fleet, home);
	} catch (error) {
		if (error instanceof AppError) return failure(SUBJECT, error.message);
		throw error;
	}
}

async function lookAt(fleet: FleetConfig, home: string): Promise<Finding> {
	// Loaded only now: a broken client must not keep the other checks from speaking.
	const [{ createNatsCourier }, { createFleetHome }, { systemClock }] = await Promise.all([
		import("../../fleet/nats/create-nats-courier.ts"),
		import("../../fleet/home/fleet-home.ts"),
		import("../../core/kernel/clock.ts"),
	]);
	const courier = createNatsCourier(fleet, { clock: systemClock, name: "doctor" });
	const silent = new AppError("fleet-not-connected", `NATS at ${fleet.url} does not answer.`, { params: { url: fleet.url } });
	let giveUp: () => void = () => undefined;
	const late = new Promise<never>((_, reject) => {
		giveUp = systemClock.after(LIMIT_MS, () => reject(silent));
	});
	try {
		await Promise.race([courier.ready(), late]);
		const status = courier.status();
		const version = status.kind === "connected" ? status.version : "?";
		const identity = await createFleetHome(home).find();
		if (identity === undefined) {
			return warning(SUBJECT, `NATS ${version} answers, but this host belongs to no fleet yet. Run rightseat fleet init, or join CODE.`);
		}
		if (status.kind === "connected" && status.isUnsafe) {
			return warning(
				SUBJECT,
				`NATS ${version} has known holes that RIGHTSEAT_FLEET_OLD_SERVER accepts. Update it to 2.12.7, 2.14.0 or newer.`,
			);
		}
		return ok(SUBJECT, `${identity.name} in the fleet ${identity.fleet}, NATS ${version} answers; others may do ${fleet.allow} here`);
	} finally {
		giveUp();
		await courier.close();
	}
}

function isOpenToOthers(file: string): boolean {
	const found = statSync(file, { throwIfNoEntry: false });
	return process.platform !== "win32" && found !== undefined && (found.mode & 0o077) !== 0;
}
