import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { readPrograms } from "./read-programs.ts";

let bin: string;
let root: string;
beforeEach(() => {
	root = mkdtempSync(join(tmpdir(), "rightseat-programs-"));
	bin = join(root, "bin");
	mkdirSync(bin);
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

/** A package as npm installs it globally: a link in `bin` to a file of the package. */
function install(name: string, described: object) {
	const folder = join(root, "lib", name);
	mkdirSync(join(folder, "dist"), { recursive: true });
	writeFileSync(join(folder, "package.json"), JSON.stringify(described));
	writeFileSync(join(folder, "dist/index.js"), "#!/bin/sh\nexit 1\n", { mode: 0o755 });
	symlinkSync(join(folder, "dist/index.js"), join(bin, name));
}

test("[AG44] a program is a file that this user may run; nothing is started to find it", async () => {
	const ran = join(root, "ran");
	writeFileSync(join(bin, "agent"), `#!/bin/sh\ntouch ${ran}\n`, { mode: 0o755 });
	writeFileSync(join(bin, "plain"), "text", { mode: 0o644 });
	mkdirSync(join(bin, "folder"));
	symlinkSync(join(root, "gone"), join(bin, "dangling"));
	const found = await readPrograms(bin, ["agent", "plain", "folder", "dangling", "absent", "../bin/agent"]);
	expect(found).toEqual([{ name: "agent", path: join(bin, "agent"), version: null }]);
	expect(await readPrograms(join(root, "nowhere"), ["agent"])).toEqual([]);
	expect(await readPrograms(root, ["ran"])).toEqual([]);
});

test("[AG44] its version is what its own package says, and nobody else's", async () => {
	install("codex-acp", { name: "@agentclientprotocol/codex-acp", version: "2.6.0", bin: { "codex-acp": "dist/index.js" } });
	install("cline", { name: "cline", version: "3.0.65", bin: "dist/index.js" });
	install("stranger", { name: "stranger", version: "9.9.9", bin: { other: "x" } });
	install("broken", { version: 7 });
	writeFileSync(join(root, "lib/broken/package.json"), "{");
	const found = await readPrograms(bin, ["codex-acp", "cline", "stranger", "broken"]);
	expect(found.map(({ name, version }) => [name, version])).toEqual([
		["codex-acp", "2.6.0"],
		["cline", "3.0.65"],
		["stranger", null],
		["broken", null],
	]);
});
