import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { brotliCompressSync, constants, gzipSync } from "node:zlib";
import tailwindcss from "@tailwindcss/vite";
import react from "@vitejs/plugin-react";
import { defineConfig, type Plugin } from "vite";

/** Where `npm run dev` finds the server. */
const server = `http://127.0.0.1:${process.env.RIGHTSEAT_DEV_PORT ?? "7417"}`;

/** What every part of the page uses. */
const BASE =
	/packages\/protocol\/|\/src\/(ui|state|i18n|api|connection|storage)\/|node_modules\/(react|react-dom|scheduler|zustand|zod|clsx|wouter|use-sync-external-store)\//;

export default defineConfig({
	plugins: [react(), tailwindcss(), precompress()],
	build: {
		outDir: "dist",
		emptyOutDir: true,
		target: "es2022",
		// The page's CSP forbids data: fonts and inline scripts; everything is a file with a hash in its name.
		assetsInlineLimit: 0,
		modulePreload: { polyfill: false },
		reportCompressedSize: false,
		chunkSizeWarningLimit: 1200,
		// One file beside the entry instead of a handful of small ones: each request is a round trip before the first paint.
		rolldownOptions: { output: { advancedChunks: { groups: [{ name: "base", test: BASE }] } } },
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

/** The server sends these files as they are: compressed once, well, instead of at every request. */
function precompress(): Plugin {
	let folder = "";
	return {
		name: "precompress",
		apply: "build",
		configResolved(config) {
			folder = resolve(config.root, config.build.outDir);
		},
		closeBundle() {
			for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
				if (!entry.isFile() || !/\.(js|css|html|svg|json|webmanifest)$/.test(entry.name)) continue;
				const path = join(entry.parentPath, entry.name);
				const content = readFileSync(path);
				if (content.length < 1024) continue;
				writeFileSync(`${path}.gz`, gzipSync(content, { level: 9 }));
				writeFileSync(`${path}.br`, brotliCompressSync(content, { params: { [constants.BROTLI_PARAM_QUALITY]: 10 } }));
			}
		},
	};
}
