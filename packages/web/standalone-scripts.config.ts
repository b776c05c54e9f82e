import { join } from "node:path";
import { build, type Plugin } from "vite";

/** Scripts with a fixed name that stand alone: a classic script cannot import the page's chunks. */
export const STANDALONE_SCRIPTS = { "boot.js": "src/boot/boot.ts", "sw.js": "src/service-worker/service-worker.ts" } as const;

/** Builds the boot script and the service worker beside the page; in development at each request. */
export function standaloneScripts(root: string): Plugin {
	return {
		name: "standalone-scripts",
		async generateBundle() {
			for (const [fileName, entry] of Object.entries(STANDALONE_SCRIPTS)) {
				this.emitFile({ type: "asset", fileName, source: await buildScript(join(root, entry)) });
			}
		},
		configureServer(server) {
			for (const [fileName, entry] of Object.entries(STANDALONE_SCRIPTS)) {
				server.middlewares.use(`/${fileName}`, (_request, response, next) => {
					buildScript(join(root, entry)).then((source) => {
						response.setHeader("content-type", "text/javascript");
						response.end(source);
					}, next);
				});
			}
		},
	};
}

/** One classic script without imports. */
export async function buildScript(entry: string): Promise<string> {
	const result = await build({
		configFile: false,
		publicDir: false,
		logLevel: "warn",
		build: { write: false, target: "es2022", rolldownOptions: { input: entry, output: { format: "iife" } } },
	});
	const outputs = Array.isArray(result) ? result : [result];
	const chunks = outputs.flatMap((output) => ("output" in output ? output.output : []));
	const [script, ...others] = chunks;
	if (script?.type !== "chunk" || others.length > 0) throw new Error(`${entry} does not fit into one script.`);
	return script.code;
}
