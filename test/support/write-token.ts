import { randomBytes } from "node:crypto";
import { writeFileSync } from "node:fs";
import { join } from "node:path";

/**
 * An access token with whose beginning no word of a test ends, neither as it is nor in base64 (`X`). A stream holds back what may become a
 * secret until its next piece; with any token, one test in some dozens would wait for the last letter of a word in vain.
 */
export function writeToken(home: string): void {
	writeFileSync(join(home, "token"), `_${randomBytes(32).toString("base64url")}\n`, { mode: 0o600 });
}
