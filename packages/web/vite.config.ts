import { readFileSync } from "node:fs";
import { join } from "node:path";
import tailwindcss from "@tailwindcss/vite";
import react from "@vitejs/plugin-react";
import { defineConfig, type Plugin } from "vite";
import { chunkGroups } from "./chunk-groups.config.ts";
import { standaloneScripts } from "./standalone-scripts.config.ts";

/** Where `npm run dev` finds the server. */
const server = `http://127.0.0.1:${process.env.RIGHTSEAT_DEV_PORT ?? "7417"}`;

export default defineConfig({
	plugins: [react(), tailwindcss(), standaloneScripts(import.meta.dirname), chunkGroups(), signedInPage()],
	// wouter brings a copy of it for Reacts that have none.
	resolve: { alias: [{ find: /^use-sync-external-store\/shim\/index\.js$/, replacement: "react" }] },
	build: {
		outDir: "dist",
		emptyOutDir: true,
		target: "es2022",
		// The page's CSP forbids data: fonts and inline scripts; everything is a file with a hash in its name.
		assetsInlineLimit: 0,
		modulePreload: { polyfill: false },
		reportCompressedSize: false,
		chunkSizeWarningLimit: 1200,
	},
	worker: { format: "es" },
	server: {
		proxy: {
			"/api": { target: server },
			"/healthz": { target: server },
			"/ws": { target: server, ws: true },
		},
	},
});

/** The page for somebody who is logged in: it begins with a box to write in, before any code has come. */
function signedInPage(): Plugin {
	return {
		name: "signed-in-page",
		apply: "build",
		enforce: "post",
		generateBundle(_options, bundle) {
			const page = bundle["index.html"];
			if (page?.type !== "asset") throw new Error("The build has no index.html.");
			const early = readFileSync(join(import.meta.dirname, "src/early/early.html"), "utf8");
			const source = String(page.source).replace(/[\t ]*<div id="root">/, `${early}$&`);
			if (!source.includes(early)) throw new Error("index.html has no root.");
			this.emitFile({ type: "asset", fileName: "signed-in.html", source });
		},
	};
}
