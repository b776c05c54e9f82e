import { readFileSync, statSync } from "node:fs";
import { join, resolve } from "node:path";
import { CliError, EXIT } from "@rightseat/cli/cli-error";
import { languageOf } from "@rightseat/protocol/sentences/language-of";
import { backUpStopped, listSchemaSteps, restoreStopped } from "../../store/backup/stopped-database.ts";
import { createRunTool, type RunTool } from "./run-tool.ts";
import type { ServiceDeps } from "./service-deps.ts";
import { mustBeInstalled } from "./status.ts";
import { stopWhole } from "./stop-whole.ts";
import { type UpdateWords, updateWords } from "./update-words.ts";
import { entryIn, openVersions, type Versions, versionIn, versionsFolder } from "./versions.ts";
import { waitUntilHealthy } from "./wait-until-healthy.ts";
import { readIfThere, writeWhole } from "./write-file.ts";

/** npm, on a slow line. */
const FETCH_LIMIT_MS = 15 * 60_000;
const MEGABYTE = 1_048_576;
/** A version with its runtime, and what npm needs to put it together. */
const VERSION_BYTES = 400 * MEGABYTE;
/** Left free beside the backup. */
const RESERVED_BYTES = 64 * MEGABYTE;
/** A half-done exchange is nobody's wish: whoever ends it, or closes its terminal, gets its end, forward or back. */
const HELD_SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

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
	const ignore = () => undefined;
	for (const signal of HELD_SIGNALS) process.on(signal, ignore);
	try {
		return await exchange(deps, { versions, name, version, words });
	} finally {
		for (const signal of HELD_SIGNALS) process.off(signal, ignore);
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
	const { cli } = deps;
	const run = createRunTool(cli.env, FETCH_LIMIT_MS);
	try {
		mustHaveSpace(deps, { folder: versions.folder, words, versionBytes: VERSION_BYTES });
		cli.print(words.fetching(spec));
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
		mustHaveSpace(deps, { folder: versions.folder, words, versionBytes: 0 });
		return { name: versions.finish(version), version };
	} catch (error) {
		versions.discard("coming");
		throw new CliError(words.unchanged(sentenceOf(error)), EXIT.failed);
	}
}

/** For the version, for a backup of the database, and for putting that in its place again while the newer one is kept aside. */
function mustHaveSpace(
	{ place, disk }: ServiceDeps,
	{ folder, words, versionBytes }: { folder: string; words: UpdateWords; versionBytes: number },
): void {
	const sizeOf = (file: string) => statSync(file, { throwIfNoEntry: false })?.size ?? 0;
	const database = databaseIn(place.home);
	const backupBytes = 2 * (sizeOf(database) + sizeOf(`${database}-wal`)) + RESERVED_BYTES;
	const [home, beside] = [disk(place.home), disk(folder)];
	const isOneDisk = home.device === beside.device;
	for (const [at, neededBytes, { freeBytes }] of [
		[folder, versionBytes + (isOneDisk ? backupBytes : 0), beside],
		[place.home, backupBytes, home],
	] as const) {
		if (freeBytes < neededBytes)
			throw new CliError(words.noSpace(at, Math.ceil(neededBytes / MEGABYTE), Math.floor(freeBytes / MEGABYTE)), EXIT.failed);
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
		throw new CliError(words.unchanged(sentenceOf(error)), EXIT.failed);
	}
	cli.print(words.backup(backup));
	const isStrict = /^NoNewPrivileges=yes$/m.test(before.definition);
	let reason: string;
	try {
		versions.choose(name);
		const definition = await manager.definition(versions.launch(place.home), { strict: isStrict });
		writeWhole(place.definitionFile, definition, { mode: 0o644, words: deps.words });
		await manager.enable();
		const result = await waitUntilHealthy(deps);
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
		// A full disk may be why we are here: space is made first, and what is the same is not written again.
		versions.discard(at.name);
		versions.choose(before.name);
		if (readIfThere(place.definitionFile) !== before.definition)
			writeWhole(place.definitionFile, before.definition, { mode: 0o644, words: deps.words });
		if (String(listSchemaSteps(database)) === String(at.steps)) cli.printError(words.sameDatabase);
		else cli.printError(words.restored(restoreStopped(database, at.backup, Date.now())));
		await manager.enable();
	} catch (error) {
		throw new CliError(words.stuck(sentenceOf(error), at.backup), EXIT.failed);
	}
	const result = await waitUntilHealthy(deps);
	throw new CliError(result.server === undefined ? words.notBack(at.backup) : words.back, EXIT.failed);
}

const databaseIn = (home: string) => join(home, "rightseat.db");
const lastLine = (text: string) => text.trim().split("\n").at(-1)?.slice(0, 300) ?? "";

/** What the disk or npm says has no full stop. */
function sentenceOf(error: unknown): string {
	const message = error instanceof Error ? error.message : String(error);
	return /[.!?。]$/.test(message) ? message : `${message}.`;
}
