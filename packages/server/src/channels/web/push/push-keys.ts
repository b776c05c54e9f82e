import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import * as z from "zod/mini";

const keysSchema = z.object({ publicKey: z.string().check(z.minLength(1)), privateKey: z.string().check(z.minLength(1)) });
export type PushKeys = z.infer<typeof keysSchema>;

/** The server's own key pair for push services, made once. Losing it silences every subscription, so it is kept beside the token. */
export function loadPushKeys(home: string, generate: () => PushKeys): PushKeys {
	const path = join(home, "push-keys.json");
	const kept = read(path);
	if (kept !== undefined) return kept;
	const keys = generate();
	writeFileSync(path, `${JSON.stringify(keys)}\n`, { mode: 0o600 });
	return keys;
}

function read(path: string): PushKeys | undefined {
	let text: string;
	try {
		text = readFileSync(path, "utf8");
	} catch (error) {
		if (error instanceof Error && "code" in error && error.code === "ENOENT") return undefined;
		throw error;
	}
	return keysSchema.parse(JSON.parse(text));
}
