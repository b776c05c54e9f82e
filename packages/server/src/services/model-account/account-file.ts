import { readFileSync } from "node:fs";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { modelAccountBody, type NewModelAccount } from "@rightseat/protocol/http/model-account-requests";
import { writePrivateFile } from "../private-file.ts";

/** What a person connected on the page, secret and all; private, beside the token. */
export const ACCOUNT_FILE = "model.json";

/** What is stored in this home, read before anybody is served; `unreadable` when the file is there and cannot be understood. */
export function readAccountFile(home: string): NewModelAccount | "unreadable" | undefined {
	let content: string;
	try {
		content = readFileSync(join(home, ACCOUNT_FILE), "utf8");
	} catch (error) {
		return hasCode(error, "ENOENT") || hasCode(error, "ENOTDIR") ? undefined : "unreadable";
	}
	try {
		const stored = modelAccountBody.safeParse(JSON.parse(content));
		return stored.success ? stored.data : "unreadable";
	} catch {
		// The parser's own message quotes the text, which is a secret.
		return "unreadable";
	}
}

/** Whole or not at all, and on the disk before it is answered. Rejects with what the disk says. */
export async function writeAccountFile(home: string, account: NewModelAccount): Promise<void> {
	await writePrivateFile(join(home, ACCOUNT_FILE), `${JSON.stringify(account)}\n`);
}

export const removeAccountFile = (home: string): Promise<void> => rm(join(home, ACCOUNT_FILE), { force: true });

const hasCode = (error: unknown, code: string) => error instanceof Error && "code" in error && error.code === code;
