import { AppError } from "../../core/kernel/errors.ts";

/** What a server of the engine says about itself. */
export interface ServerFacts {
	version: string;
	headers?: boolean | undefined;
	jetstream?: boolean | undefined;
	max_payload: number;
}

/** The client's consumers need it. */
const OLDEST = "2.9.4";
/** The first release of each series without the known holes; every later series has none of them. */
const SAFE: readonly string[] = ["2.11.16", "2.12.7", "2.14.0"];
/** A beat, a part of a snapshot and a command with a long prompt must fit. */
const LEAST_PAYLOAD_BYTES = 131_072;

/** May this server carry a fleet? Throws `fleet-refused` with one sentence; the result tells whether it has known holes that a person has accepted. */
export function checkServer(facts: ServerFacts, { isLoopback, allowOld }: { isLoopback: boolean; allowOld: boolean }): boolean {
	const version = facts.version.slice(0, 40);
	if (compareVersions(version, OLDEST) < 0) {
		throw refused("old-server", `NATS ${version} is too old. Rightseat needs at least ${OLDEST}; update the server.`, { version });
	}
	if (facts.headers !== true) {
		throw refused("no-headers", `NATS ${version} has headers switched off. Switch them on in its configuration.`, { version });
	}
	if (facts.jetstream !== true) {
		throw refused("no-jetstream", `NATS ${version} runs without JetStream. Start it with -js, or add jetstream {} to its configuration.`, {
			version,
		});
	}
	if (facts.max_payload < LEAST_PAYLOAD_BYTES) {
		throw refused("small-payload", `NATS lets no message be larger than ${facts.max_payload} bytes. Set max_payload to 1MB.`, {
			bytes: facts.max_payload,
		});
	}
	if (isSafe(version)) return false;
	if (isLoopback) return false;
	if (!allowOld) {
		throw refused(
			"unsafe-server",
			`NATS ${version} has known holes. Update it to 2.12.7, 2.14.0 or newer, or accept them with RIGHTSEAT_FLEET_OLD_SERVER=1.`,
			{ version },
		);
	}
	return true;
}

function isSafe(version: string): boolean {
	const [newest = ""] = SAFE.slice(-1);
	if (compareVersions(version, newest) >= 0) return true;
	return SAFE.some((first) => seriesOf(first) === seriesOf(version) && compareVersions(version, first) >= 0);
}

const seriesOf = (version: string) => version.split(".").slice(0, 2).join(".");

/** By their numbers; a release candidate (`2.12.7-RC.1`) counts as before its release. */
function compareVersions(a: string, b: string): number {
	const [numbersA, numbersB] = [numbersOf(a), numbersOf(b)];
	const index = numbersA.findIndex((number, at) => number !== numbersB[at]);
	if (index >= 0) return (numbersA[index] ?? 0) - (numbersB[index] ?? 0);
	return Number(b.includes("-")) - Number(a.includes("-"));
}

function numbersOf(version: string): number[] {
	const [, major = "0", minor = "0", patch = "0"] = /^v?(\d+)\.(\d+)(?:\.(\d+))?/.exec(version) ?? [];
	return [major, minor, patch].map(Number);
}

const refused = (reason: string, message: string, params: Record<string, string | number>) =>
	new AppError("fleet-refused", message, { params: { reason, ...params } });
