import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { AppError } from "../../core/kernel/errors.ts";

/** Where the parts of an installation lie, the same for the sources and for the built server. */
export interface InstallPaths {
	/** `packages/server`. */
	serverRoot: string;
	/** The built page; may be missing. */
	pageDir: string;
	/** The shell server's entry: `dist/shelld.js`, or `packages/shell/src/daemon/shelld.ts` when running from the sources. */
	shelldEntry: string;
	/** The folder process's entry, likewise. */
	foldersEntry: string;
	/** The git process's entry, likewise. */
	gitEntry: string;
	/** The entry of the process that records changes, likewise. */
	trackerdEntry: string;
	version: string;
}

export function findInstallPaths(from: string = fileURLToPath(import.meta.url)): InstallPaths {
	let serverRoot = dirname(from);
	while (!existsSync(join(serverRoot, "package.json"))) {
		const parent = dirname(serverRoot);
		if (parent === serverRoot) throw new AppError("internal", `No package.json above ${from}`);
		serverRoot = parent;
	}
	const fromSources = from.endsWith(".ts");
	return {
		serverRoot,
		pageDir: join(serverRoot, "..", "web", "dist"),
		shelldEntry: fromSources ? join(serverRoot, "..", "shell", "src", "daemon", "shelld.ts") : join(serverRoot, "dist", "shelld.js"),
		foldersEntry: fromSources
			? join(serverRoot, "src", "services", "work-roots", "folder-process.ts")
			: join(serverRoot, "dist", "folder-process.js"),
		gitEntry: fromSources ? join(serverRoot, "src", "services", "git", "git-process.ts") : join(serverRoot, "dist", "git-process.js"),
		trackerdEntry: fromSources
			? join(serverRoot, "..", "changes", "src", "daemon", "trackerd.ts")
			: join(serverRoot, "dist", "trackerd.js"),
		version: readVersion(join(serverRoot, "package.json")),
	};
}

function readVersion(file: string): string {
	const content: unknown = JSON.parse(readFileSync(file, "utf8"));
	const version = typeof content === "object" && content !== null && "version" in content ? content.version : undefined;
	return typeof version === "string" ? version : "0.0.0";
}
