import { mkdirSync, readdirSync, readFileSync, readlinkSync, renameSync, rmSync, symlinkSync } from "node:fs";
import { basename, join } from "node:path";
import { fieldOf } from "@rightseat/protocol/model/field";
import type { ServicePlace } from "./service-place.ts";
import type { Launch } from "./systemd-unit.ts";

/** The versions that updates brought for one service, beside each other, and which of them is the one that starts. */
export interface Versions {
	folder: string;
	/** Where an update is put together; what an earlier one left there is gone. */
	begin(): string;
	/** Gives what was put together its place; the folder's name. */
	finish(version: string): string;
	discard(name: string): void;
	/** Removes all but these. */
	keepOnly(names: readonly (string | undefined)[]): void;
	/** The name of the one that starts; undefined before the first update. */
	current(): string | undefined;
	/** In one step, also for a supervisor that looks in this moment. */
	choose(name: string | undefined): void;
	launch(home: string): Launch;
}

/** Where versions lie: not in the home, whose files are made private and lose the right to be executed. */
export function versionsFolder(place: ServicePlace, env: NodeJS.ProcessEnv): string {
	const data = env.XDG_DATA_HOME;
	return join(data?.startsWith("/") === true ? data : join(place.userHome, ".local", "share"), "rightseat", place.name);
}

export function openVersions(folder: string): Versions {
	const link = join(folder, "current");
	const coming = join(folder, "coming");
	const current = () => {
		try {
			return basename(readlinkSync(link));
		} catch {
			// No update was made yet.
			return undefined;
		}
	};
	return {
		folder,
		current,
		begin() {
			rmSync(coming, { recursive: true, force: true });
			mkdirSync(coming, { recursive: true, mode: 0o700 });
			return coming;
		},
		finish(version) {
			const name = version === current() ? `${version}-${Date.now()}` : version;
			rmSync(join(folder, name), { recursive: true, force: true });
			renameSync(coming, join(folder, name));
			return name;
		},
		discard: (name) => rmSync(join(folder, name), { recursive: true, force: true }),
		keepOnly(names) {
			for (const name of readdirSync(folder)) {
				if (name !== "current" && !names.includes(name)) rmSync(join(folder, name), { recursive: true, force: true });
			}
		},
		choose(name) {
			if (name === undefined) return rmSync(link, { force: true });
			rmSync(`${link}.new`, { force: true });
			symlinkSync(name, `${link}.new`);
			renameSync(`${link}.new`, link);
		},
		launch: (home) => ({ program: process.execPath, args: [entryIn(link), "service", "run", "--home", home] }),
	};
}

/** The program of an installed package. */
export const entryIn = (folder: string): string => join(folder, "node_modules", "rightseat", "scripts", "rightseat.mjs");

/** What a package says of itself; undefined when it is none of ours. */
export function versionIn(folder: string): string | undefined {
	try {
		const manifest: unknown = JSON.parse(readFileSync(join(folder, "node_modules", "rightseat", "package.json"), "utf8"));
		const version = fieldOf(manifest, "version");
		return typeof version === "string" && /^\d+\.\d+\.\d+[\w.+-]*$/.test(version) ? version : undefined;
	} catch {
		// Another package, or half of one.
		return undefined;
	}
}
