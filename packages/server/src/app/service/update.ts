import { existsSync, readFileSync, statfsSync, statSync } from "node:fs";
import { join, resolve } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { CliError, EXIT } from "@rightseat/cli/cli-error";
import { languageOf } from "@rightseat/protocol/sentences/language-of";
import { backUpStopped, listSchemaSteps, restoreStopped } from "../../store/backup/stopped-database.ts";
import { findHomeOwner } from "../home/home-lock.ts";
import { createRunTool, type RunTool } from "./run-tool.ts";
import type { ServiceDeps } from "./service-deps.ts";
import { mustBeInstalled } from "./status.ts";
import { type UpdateWords, updateWords } from "./update-words.ts";
import { entryIn, openVersions, type Versions, versionIn, versionsFolder } from "./versions.ts";
import { waitUntilHealthy } from "./wait-until-healthy.ts";
import { writeWhole } from "./write-file.ts";

/** npm, on a slow line. */
const FETCH_LIMIT_MS = 15 * 60_000;
/** Left free beside the backup. */
const RESERVED_BYTES = 64 * 1_048_576;

/**
 * `service update [VERSION|PACKAGE]`: the new version is installed beside the old one, and tried, while the old one runs. Then the service
 * is stopped, backed up and started with the new one; one that is not healthy within a minute is taken back by itself.
 */
export async function updateService(args: readonly string[], deps: ServiceDeps): Promise<number> {
	mustBeInstalled(deps);
	const { cli, place } = deps;
	const words = updateWords(languageOf(cli.env));
	const [target = "latest", ...more] = args;
	if (more[0] !== undefined || target.startsWith("-")) throw new CliError(deps.words.unknownFlag(more[0] ?? target));
	const file = resolve(cli.cwd, target);
	const isFile = statSync(file, { throwIfNoEntry: false })?.isFile() === true;
	if (!isFile && !/^(?:latest|\d+\.\d+\.\d+[\w.+-]*)$/.test(target))
		throw new CliError(words.badTarget(JSON.stringify(target.slice(0, 200))));
	const versions = openVersions(versionsFolder(place, cli.env));
	const spec = isFile ? file : `rightseat@${target}`;
	const { name, version } = await bringBeside({ spec, isFile, versions, words, deps });
	if (name === undefined) {
		cli.print(words.already(version));
		return EXIT.done;
	}
	// A half-done exchange is nobody's wish: whoever interrupts it now gets its end, forward or back.
	const ignore = () => undefined;
	process.on("SIGINT", ignore);
	try {
		return await exchange(deps, { versions, name, version, words });
	} finally {
		process.off("SIGINT", ignore);
	}
}

/** Whatever goes wrong here has changed nothing: the old version runs all the while. */
async function bringBeside({
	spec,
	isFile,
	versions,
	words,
	deps,
}: {
	spec: string;
	isFile: boolean;
	versions: Versions;
	words: UpdateWords;
	deps: ServiceDeps;
}): Promise<{ name: string | undefined; version: string }> {
	const { cli, place } = deps;
	cli.print(words.fetching(spec));
	const run = createRunTool(cli.env, FETCH_LIMIT_MS);
	try {
		const folder = versions.begin();
		const flags = ["--omit=dev", "--ignore-scripts", "--no-audit", "--no-fund", "--no-package-lock", "--loglevel=error"];
		const installed = await run("npm", ["install", "--prefix", folder, ...flags, spec]);
		if (installed.code !== 0) throw new CliError(words.notFetched(lastLine(installed.stderr)), EXIT.failed);
		const version = versionIn(folder);
		if (version === undefined) throw new CliError(words.notOurs, EXIT.failed);
		if (!isFile && version === versions.current()) {
			versions.discard("coming");
			return { name: undefined, version };
		}
		await tryOut(run, { entry: entryIn(folder), version, words });
		const { bavail, bsize } = statfsSync(place.home);
		const needed = (statSync(databaseIn(place.home), { throwIfNoEntry: false })?.size ?? 0) + RESERVED_BYTES;
		if (bavail * bsize < needed) throw new CliError(words.noSpace, EXIT.failed);
		return { name: versions.finish(version), version };
	} catch (error) {
		versions.discard("coming");
		throw new CliError(words.unchanged(error instanceof Error ? error.message : String(error)), EXIT.failed);
	}
}

/** It must start at all, and have what its first start would fetch: the minute that it gets is not for that. */
async function tryOut(run: RunTool, { entry, version, words }: { entry: string; version: string; words: UpdateWords }): Promise<void> {
	const said = await run(process.execPath, [entry, "version"]);
	if (said.stdout.trim() !== version)
		throw new CliError(words.doesNotRun(lastLine(said.stderr) || said.stdout.trim().slice(0, 200)), EXIT.failed);
	const prepared = await run(process.execPath, [entry, "prepare"]);
	if (prepared.code !== 0) throw new CliError(words.doesNotRun(lastLine(prepared.stderr)), EXIT.failed);
}

async function exchange(
	deps: ServiceDeps,
	{ versions, name, version, words }: { versions: Versions; name: string; version: string; words: UpdateWords },
): Promise<number> {
	const { cli, place, manager } = deps;
	const before = { definition: readFileSync(place.definitionFile, "utf8"), name: versions.current() };
	const database = databaseIn(place.home);
	cli.print(words.backingUp(version));
	let backup: string;
	let steps: string[];
	try {
		await stopWhole(deps);
		steps = listSchemaSteps(database);
		backup = backUpStopped(database, Date.now());
	} catch (error) {
		await manager.restart();
		versions.discard(name);
		throw new CliError(words.unchanged(error instanceof Error ? error.message : String(error)), EXIT.failed);
	}
	cli.print(words.backup(backup));
	const isStrict = /^NoNewPrivileges=yes$/m.test(before.definition);
	let reason: string;
	try {
		versions.choose(name);
		const definition = await manager.definition(versions.launch(place.home), { strict: isStrict });
		writeWhole(place.definitionFile, definition, { mode: 0o644, words: deps.words });
		await manager.enable();
		const result = await waitUntilHealthy({ home: place.home, manager });
		if (result.server?.version === version) {
			versions.keepOnly([name, before.name]);
			cli.print(words.updated(version));
			if (before.name !== undefined) cli.print(words.kept(join(versions.folder, before.name)));
			return EXIT.done;
		}
		reason = result.server === undefined ? (result.state.detail ?? result.state.state) : `version ${result.server.version}`;
	} catch (error) {
		reason = error instanceof Error ? error.message : String(error);
	}
	cli.printError(words.goingBack(version, reason));
	return await goBack(deps, { versions, name, before, backup, steps, words });
}

async function goBack(
	deps: ServiceDeps,
	at: {
		versions: Versions;
		name: string;
		before: { definition: string; name: string | undefined };
		backup: string;
		steps: readonly string[];
		words: UpdateWords;
	},
): Promise<number> {
	const { cli, place, manager } = deps;
	const { versions, before, words } = at;
	const database = databaseIn(place.home);
	try {
		await stopWhole(deps);
		versions.choose(before.name);
		writeWhole(place.definitionFile, before.definition, { mode: 0o644, words: deps.words });
		if (String(listSchemaSteps(database)) === String(at.steps)) cli.printError(words.sameDatabase);
		else cli.printError(words.restored(restoreStopped(database, at.backup, Date.now())));
		await manager.enable();
	} catch (error) {
		throw new CliError(`${error instanceof Error ? error.message : String(error)}: ${words.notBack(at.backup)}`, EXIT.failed);
	}
	const result = await waitUntilHealthy({ home: place.home, manager });
	versions.discard(at.name);
	throw new CliError(result.server === undefined ? words.notBack(at.backup) : words.back, EXIT.failed);
}

/** A database is only ours when its server is gone. */
async function stopWhole({ manager, place }: ServiceDeps): Promise<void> {
	await manager.stop();
	for (let looks = 0; looks < 100 && existsSync(place.home) && findHomeOwner(place.home) !== undefined; looks++) await sleep(200);
}

const databaseIn = (home: string) => join(home, "rightseat.db");
const lastLine = (text: string) => text.trim().split("\n").at(-1)?.slice(0, 300) ?? "";
