import type { ChangedFile } from "@rightseat/protocol/model/change";
import { expect, test } from "vitest";
import { inTreeOrder, treeRows } from "./file-tree.ts";

const file = (path: string): ChangedFile => ({ path, status: "modified", binary: false, added: 1, removed: 0, by: "agent" });
const FILES = ["README.md", "src/app/deep/b.ts", "src/app/deep/a.ts", "src/main.ts", "docs/only/one/x.md"].map(file);

test("[PG502] changed files stand in a tree, folders first, and folders that only hold a folder are one row", () => {
	const rows = treeRows(FILES, new Set(["src/app/deep/"])).map(
		({ name, depth, kind }) => `${" ".repeat(depth)}${name}${kind === "folder" ? "/" : ""}`,
	);
	expect(rows).toEqual(["docs/only/one/", " x.md", "src/", " app/deep/", " main.ts", "README.md"]);
	expect(treeRows(FILES, new Set(["src/"])).find(({ key }) => key === "src/")).toMatchObject({ open: false, files: 3 });
	expect(inTreeOrder(FILES).map(({ path }) => path)).toEqual([
		"docs/only/one/x.md",
		"src/app/deep/a.ts",
		"src/app/deep/b.ts",
		"src/main.ts",
		"README.md",
	]);
});
