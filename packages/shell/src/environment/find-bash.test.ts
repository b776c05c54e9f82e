import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { bashProblem, findBash } from "./find-bash.ts";

let root: string;
beforeEach(() => {
	root = mkdtempSync(join(tmpdir(), "rightseat-bash-"));
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

/** A folder with a program called bash that says it is this version, as /bin/bash of macOS says 3.2.57. */
function standIn(version: string): string {
	const folder = join(root, version);
	mkdirSync(folder);
	writeFileSync(join(folder, "bash"), `#!/bin/sh\nprintf %s ${version}\n`);
	chmodSync(join(folder, "bash"), 0o700);
	return folder;
}

test("[SH111] a bash that is too old is passed over for a newer one: on the path first, then in the usual places", async () => {
	const [old, older, enough, newest] = ["3.2.57", "4.3.48", "4.4.0", "5.3.1"].map(standIn);
	const path = [old, older, "relative", enough, newest].join(delimiter);
	expect(await findBash(path, [])).toEqual({ path: join(enough ?? "", "bash"), version: "4.4.0", usable: true });
	expect(await findBash(old ?? "", [join(root, "nothing"), newest ?? ""])).toMatchObject({ version: "5.3.1", usable: true });
});

test("[SH111] where only an old one is, it is named with what to do; where none is on the path, that is said", async () => {
	const found = await findBash(standIn("3.2.57"), []);
	expect(found).toMatchObject({ version: "3.2.57", usable: false });
	expect(bashProblem(found)).toMatch(
		/is bash 3\.2\.57, and commands need 4\.4 or later\. Install a newer one \(on macOS: brew install bash\)/,
	);
	expect(bashProblem(await findBash(root, [standIn("5.2.1")]))).toContain("Install bash and make sure that it is on the PATH.");
	expect(bashProblem(await findBash(standIn("5.2.0"), []))).toBeUndefined();
});

test("[SH111] the bash of this machine is found", async () => {
	expect(await findBash(process.env.PATH ?? "")).toMatchObject({ usable: true, version: expect.stringMatching(/^[45]\.\d+\.\d+$/) });
});
