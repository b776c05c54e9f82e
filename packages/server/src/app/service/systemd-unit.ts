import type { ServicePlace } from "./service-place.ts";

/** The program that a service runs: a path and its arguments. */
export interface Launch {
	program: string;
	args: readonly string[];
}

/** From this version on systemd waits longer after each failure. */
const BACKOFF_VERSION = 254;

/** The text of a systemd user unit. No setting and no secret is in it. docs/service.md says why each line stands there, and why others do not. */
export function systemdUnit(
	place: ServicePlace,
	{ launch, version, strict }: { launch: Launch; version: number; strict: boolean },
): string {
	const backoff = version >= BACKOFF_VERSION ? ["RestartSec=1s", "RestartSteps=6", "RestartMaxDelaySec=60s"] : ["RestartSec=10s"];
	const hardening = strict ? ["NoNewPrivileges=yes", "RestrictSUIDSGID=yes", "RestrictRealtime=yes"] : [];
	return `${[
		"[Unit]",
		`Description=Rightseat (${percent(place.home)})`,
		"StartLimitIntervalSec=0",
		"",
		"[Service]",
		"Type=exec",
		`ExecStart=${[launch.program, ...launch.args].map(quoted).join(" ")}`,
		`WorkingDirectory=${percent(place.userHome)}`,
		`StandardOutput=append:${percent(place.outputFile)}`,
		`StandardError=append:${percent(place.outputFile)}`,
		"Restart=on-failure",
		...backoff,
		"RestartPreventExitStatus=2",
		"KillMode=mixed",
		"TimeoutStopSec=20s",
		"OOMPolicy=continue",
		...hardening,
		"",
		"[Install]",
		"WantedBy=default.target",
	].join("\n")}\n`;
}

/** One word of a command line, as systemd reads it. */
const quoted = (word: string) => `"${percent(word).replaceAll("\\", "\\\\").replaceAll('"', '\\"').replaceAll("$", "$$$$")}"`;

/** systemd puts values in the place of `%h` and the like. */
const percent = (text: string) => text.replaceAll("%", "%%");
