import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { Script } from "node:vm";
import { expect, test } from "vitest";
import { buildScript, STANDALONE_SCRIPTS } from "../../packages/web/standalone-scripts.config.ts";

const WEB = join(import.meta.dirname, "../../packages/web");
/** The first paint waits for it. */
const MAX_BOOT_CHARS = 4_000;

test("[PG263] no script goes to the browser as it lies in a folder: each is built from sources that are type-checked", () => {
	expect(readdirSync(join(WEB, "public")).filter((name) => /\.m?js$/.test(name))).toEqual([]);
	expect(readFileSync(join(WEB, "../../scripts/lib/steps.mjs"), "utf8")).toContain('"packages/web/src/service-worker"');
});

test.each(Object.entries(STANDALONE_SCRIPTS))(
	"[PG263] %s stands alone as a classic script, without schemas and libraries",
	async (_name, entry) => {
		const code = await buildScript(join(WEB, entry));
		expect(() => new Script(code)).not.toThrow();
		expect(code.length).toBeLessThan(entry === STANDALONE_SCRIPTS["boot.js"] ? MAX_BOOT_CHARS : 2 * MAX_BOOT_CHARS);
	},
);
