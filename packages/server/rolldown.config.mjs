import { defineConfig } from "rolldown";

/** Our own code, the other workspaces included, in few files. Libraries stay in node_modules, but for zod: whole, it is 150 files, of which we use a quarter. */
export default defineConfig({
	input: {
		main: "src/app/main.ts",
		cli: "../cli/src/main.ts",
		shelld: "../shell/src/daemon/shelld.ts",
		trackerd: "../changes/src/daemon/trackerd.ts",
		"tracker-thread": "../changes/src/daemon/tracker-thread.ts",
		"git-process": "src/services/git/git-process.ts",
		"folder-process": "src/services/work-roots/folder-process.ts",
	},
	platform: "node",
	external: (id) => !/^(?:[./\0]|@rightseat\/|zod(?:\/|$))/.test(id) && !/^[A-Za-z]:[\\/]/.test(id),
	output: { dir: "dist", format: "esm", sourcemap: true, cleanDir: true, chunkFileNames: "chunks/[name]-[hash].js" },
});
