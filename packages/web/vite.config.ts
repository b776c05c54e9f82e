import tailwindcss from "@tailwindcss/vite";
import react from "@vitejs/plugin-react";
import { defineConfig } from "vite";

/** Where `npm run dev` finds the server. */
const server = `http://127.0.0.1:${process.env.RIGHTSEAT_DEV_PORT ?? "7417"}`;

export default defineConfig({
	plugins: [react(), tailwindcss()],
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
