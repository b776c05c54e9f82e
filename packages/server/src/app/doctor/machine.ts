import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { bashProblem, findBash } from "@rightseat/shell/environment/find-bash";
import { isSafeSqlite, loadSqlite, OLDEST_SAFE_SQLITE } from "../../store/sqlite/sqlite-loader.ts";
import { type Finding, failure, ok, warning } from "./finding.ts";

export function checkNode(version: string): Finding {
	const [major = 0, minor = 0] = version.split(".").map(Number);
	const supported = (major === 20 && minor >= 19) || (major === 22 && minor >= 12) || major > 22;
	return supported ? ok("node", version) : failure("node", `${version} is too old. Install Node 20.19 or newer, or 22.12 or newer.`);
}

/** `program` is COPILOT_CLI_PATH, which an installed package sets to the runtime that it fetched. */
export function checkRuntimePackage(serverRoot: string, program?: string): Finding {
	const subject = "agent runtime";
	if (program !== undefined && existsSync(program)) return ok(subject, program);
	const folders = createRequire(join(serverRoot, "package.json")).resolve.paths("@github/copilot-sdk") ?? [];
	const platforms = process.platform === "linux" ? ["linux", "linuxmusl"] : [process.platform];
	const names = platforms.map((platform) => `@github/copilot-sdk-${platform}-${process.arch}`);
	const found = names.find((name) => folders.some((folder) => existsSync(join(folder, name, "package.json"))));
	return found === undefined
		? failure(subject, `${names[0]} is not installed. The first start fetches it, and so does rightseat prepare.`)
		: ok(subject, found);
}

export function checkSqlite(): Finding {
	try {
		const database = new (loadSqlite().module.DatabaseSync)(":memory:");
		const version = String(database.prepare("SELECT sqlite_version() AS version").get()?.version);
		database.close();
		if (isSafeSqlite(version)) return ok("sqlite", version);
		return failure("sqlite", `${version} can corrupt its files; ${OLDEST_SAFE_SQLITE} or newer is needed. Run npm install again.`);
	} catch (error) {
		return failure("sqlite", `cannot be loaded (${firstLine(error)}). Run npm install again.`);
	}
}

export function checkGit(env: NodeJS.ProcessEnv): Finding {
	const version = versionOf("git", env);
	return version === undefined
		? warning("git", "not found. Conversations work, but nothing about branches and changes is shown. Install git.")
		: ok("git", version);
}

export async function checkBash(env: NodeJS.ProcessEnv, otherPlaces?: string[]): Promise<Finding> {
	const found = await findBash(env.PATH ?? "", otherPlaces);
	if (found === undefined) return failure("bash", "not found. Commands of people and of the agent need it. Install bash.");
	return found.usable
		? ok("bash", `${found.version} (${found.path})`)
		: failure("bash", `${bashProblem(found)} Until then every command fails.`);
}

export function checkPage(pageDir: string): Finding {
	return existsSync(join(pageDir, "index.html")) ? ok("page", "built") : warning("page", "not built yet. npm start builds it.");
}

/** The limit on buffers leaves room for the server itself and the agent's runtime. */
export function checkMemory(memoryMb: number, machineMb: number): Finding {
	const of = `at most ${memoryMb} MB for buffers, of ${Math.round(machineMb)} MB`;
	return memoryMb > machineMb / 4
		? warning("memory", `${of}: the agent's runtime may find none. Lower RIGHTSEAT_MEMORY_MB.`)
		: ok("memory", of);
}

function versionOf(program: string, env: NodeJS.ProcessEnv): string | undefined {
	try {
		return execFileSync(program, ["--version"], { env, encoding: "utf8", timeout: 5_000, stdio: ["ignore", "pipe", "ignore"] }).split(
			"\n",
		)[0];
	} catch {
		// Not there, or it does not run: the same to us.
		return undefined;
	}
}

const firstLine = (error: unknown) => (error instanceof Error ? (error.message.split("\n")[0] ?? "") : String(error));
