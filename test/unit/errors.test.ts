import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { ERROR_CODES } from "../../packages/server/src/core/errors.ts";
import { ROOT } from "./support/source-files.ts";

test("[AR8] every error code is explained in docs/errors.md, and nothing else is", () => {
	const documented = [...readFileSync(join(ROOT, "docs/errors.md"), "utf8").matchAll(/^\| `([a-z-]+)` \| .+ \| .+ \|$/gm)].map(
		([, code]) => code,
	);
	expect([...documented].sort()).toEqual([...ERROR_CODES].sort());
});
