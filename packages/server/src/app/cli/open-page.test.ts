import { existsSync, mkdtempSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterEach, beforeEach, expect, test } from "vitest";
import { silentLogger } from "../../core/kernel/logger.ts";
import { createOpenPage } from "./open-page.ts";

let home: string;
beforeEach(() => {
	home = mkdtempSync(join(tmpdir(), "rightseat-open-"));
});
afterEach(() => rmSync(home, { recursive: true }));

test("[SE104] the browser is started with the address of a private file; the login code is in that file and in no argument", () => {
	const launched: string[] = [];
	const openPage = createOpenPage(home, silentLogger, (address) => void launched.push(address));
	openPage.show("http://rightseat.localhost:80/#code=secret-code");
	expect(launched.join()).not.toContain("secret-code");
	const file = fileURLToPath(launched[0] ?? "");
	expect(statSync(file).mode & 0o777).toBe(0o600);
	expect(readFileSync(file, "utf8")).toContain('content="0;url=http://rightseat.localhost:80/#code=secret-code"');
	openPage.remove();
	expect(existsSync(file)).toBe(false);
});

test("[SE104] what a killed server left behind is removed at the next start", () => {
	let file = "";
	createOpenPage(home, silentLogger, (address) => {
		file = fileURLToPath(address);
	}).show("http://rightseat.localhost:80/#code=x");
	expect(existsSync(file)).toBe(true);
	createOpenPage(home, silentLogger, () => undefined);
	expect(existsSync(file)).toBe(false);
});
