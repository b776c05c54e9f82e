import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";

const SERVER = join(import.meta.dirname, "../../packages/server/src");
const SHELL = join(import.meta.dirname, "../../packages/shell/src");
/** Their files lie in our own home directory, or beside the program. */
const OWN_FILES_ONLY = new Set(["shell/service/conversation-file.ts", "shell/service/fork-shelld.ts"]);

const sourcesIn = (folder: string) =>
	readdirSync(join(SERVER, folder))
		.filter((name) => name.endsWith(".ts") && !name.endsWith(".test.ts"))
		.map((name) => `${folder}/${name}`);

/** Whoever asks where people work, in the process that serves everybody. */
const WATCHED = [
	...["service", "jobs"].flatMap((room) => sourcesIn(`shell/${room}`)),
	...["services/folder-setup/folder-trust.ts", "channels/web/http/routes/folders.ts"],
	...["services/work-roots/work-roots.ts", "channels/web/http/routes/files.ts", "channels/web/ws/create-connection-router.ts"],
	...[
		"services/work-roots/folder-client.ts",
		"services/work-roots/folder-calls.ts",
		"services/work-roots/folder-processes.ts",
		"services/work-roots/fork-folder-process.ts",
		"core/turns/sessions.ts",
	],
	...[
		"runtime/copilot/session/copilot-session.ts",
		"runtime/copilot/session/attachment.ts",
		"runtime/copilot/session/session-config.ts",
		"runtime/copilot/create-copilot-runtime.ts",
	],
].filter((path) => !OWN_FILES_ONLY.has(path));

test.each(WATCHED)("[SH104] %s looks at no working directory in the server's own process", (path) => {
	const source = readFileSync(join(SERVER, path), "utf8");
	const imported = [...source.matchAll(/import(?: type)? \{([^}]*)\} from "node:fs(?:\/promises)?"/g)].map((match) => match[1]?.trim());
	// `rm` removes a folder of our own home.
	expect(imported.filter((names) => names !== "rm")).toEqual([]);
});

test("[SH104] the shell process starts no program in a working directory and looks at none", () => {
	const names = ["command", "process"].flatMap((room) => readdirSync(join(SHELL, room)).map((name) => `${room}/${name}`));
	for (const name of names.filter((each) => !each.endsWith(".test.ts"))) {
		const source = readFileSync(join(SHELL, name), "utf8");
		expect(source, name).not.toMatch(/\b(?:stat|lstat|realpath|exists|access|readdir)Sync\((?:options\.|request\.)?(?:cwd|director)/);
		for (const [, where] of source.matchAll(/\bcwd: ("[^"]*"|[\w.]+),/g)) expect(['"/"', "request.cwd"], name).toContain(where);
	}
	const launch = readFileSync(join(SHELL, "process/launch.ts"), "utf8");
	expect(launch).toContain('cwd: "/",');
});
