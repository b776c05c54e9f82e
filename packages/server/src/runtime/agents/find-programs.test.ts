import { expect, test } from "vitest";
import { createFakeClock } from "../../../../../test/support/fake-clock.ts";
import type { Program, Programs } from "../../core/ports/programs.ts";
import { FIND_LIMIT_MS, findPrograms, MAX_PATH_DIRECTORIES } from "./find-programs.ts";

/** Directories with programs; those below /dead never answer. */
function createDisk(content: Record<string, string[]>): Programs & { asked: string[] } {
	const asked: string[] = [];
	return {
		asked,
		programs(directory, names) {
			asked.push(directory);
			if (directory.startsWith("/dead")) return new Promise<Program[]>(() => undefined);
			const there = names.filter((name) => content[directory]?.includes(name));
			return Promise.resolve(there.map((name) => ({ name, path: `${directory}/${name}`, version: null })));
		},
	};
}

test("[AG46] the first directory of PATH that has a program wins; relative ones and those of a package script are left out", async () => {
	const programs = createDisk({ "/a": ["x"], "/b": ["x", "y"], "/opt/z": ["z"], "/p/node_modules/.bin": ["y"] });
	const path = ".::bin:/p/node_modules/.bin:/a:/b:/a";
	const { found, complete } = await findPrograms(["x", "y", "gone", "/opt/z/z"], {
		path,
		programs,
		clock: createFakeClock(),
	});
	expect([...found].map(([key, program]) => [key, program.path])).toEqual([
		["x", "/a/x"],
		["y", "/b/y"],
		["/opt/z/z", "/opt/z/z"],
	]);
	expect([programs.asked, complete]).toEqual([["/a", "/b", "/opt/z"], true]);
});

test("[AG46] no more directories are looked at than the limit", async () => {
	const programs = createDisk({});
	const path = Array.from({ length: MAX_PATH_DIRECTORIES + 10 }, (_, at) => `/d${at}`).join(":");
	await findPrograms(["x"], { path, programs, clock: createFakeClock() });
	expect(programs.asked).toHaveLength(MAX_PATH_DIRECTORIES);
});

test("[AG45] a directory that never answers costs two seconds, and what the others have is found", async () => {
	const clock = createFakeClock();
	const looking = findPrograms(["x"], { path: "/dead:/a", programs: createDisk({ "/a": ["x"] }), clock });
	await clock.advance(FIND_LIMIT_MS);
	const { found, complete } = await looking;
	expect([found.get("x")?.path, complete, clock.pending()]).toEqual(["/a/x", false, 0]);
});

test("[AG58] a directory that answers too late is told of when it does, with all that was found until then", async () => {
	const clock = createFakeClock();
	const disk = createDisk({ "/a": ["x"], "/slow": ["y"] });
	const open: (() => void)[] = [];
	const opened = new Promise<void>((resolve) => open.push(resolve));
	const broken = opened.then(() => Promise.reject(new Error("It does not answer.")));
	const later: string[][] = [];
	const looking = findPrograms(["x", "y"], {
		path: "/slow:/broken:/a",
		programs: {
			async programs(directory, names) {
				if (directory === "/slow") await opened;
				return directory === "/broken" ? broken : disk.programs(directory, names);
			},
		},
		clock,
		onLater: ({ found, complete }) => later.push([...[...found.values()].map((program) => program.path), String(complete)]),
	});
	await clock.advance(FIND_LIMIT_MS);
	expect([...(await looking).found.keys()]).toEqual(["x"]);
	for (const now of open) now();
	await clock.advance(0);
	expect(later).toEqual([["/slow/y", "/a/x", "false"]]);
});
