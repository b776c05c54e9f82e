import { expect, test } from "vitest";
import { MAX_RECENT_DIRECTORIES, recentDirectories } from "./recent-directories.ts";

test("[PG69] directories used lately come first, each once, bounded, narrowed by what is typed", () => {
	expect(recentDirectories(["/b", "/a", "/b", "/c"], "")).toEqual(["/b", "/a", "/c"]);
	expect(recentDirectories(["/home/Web", "/home/api"], "web")).toEqual(["/home/Web"]);
	expect(recentDirectories(["/a"], "/a")).toEqual([]);
	expect(
		recentDirectories(
			Array.from({ length: 20 }, (_, index) => `/d${index}`),
			"",
		),
	).toHaveLength(MAX_RECENT_DIRECTORIES);
});
