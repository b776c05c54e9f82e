import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { modelAccountBody, type NewModelAccount } from "@rightseat/protocol/http/model-account-requests";
import { afterEach, beforeEach, expect, test } from "vitest";
import { AppError } from "../../core/kernel/errors.ts";
import type { ModelAccount } from "../../core/ports/model-account.ts";
import { ACCOUNT_FILE, readAccountFile } from "./account-file.ts";
import type { GhLogin } from "./gh-login.ts";
import { createModelAccount } from "./model-account.ts";

let home: string;
beforeEach(() => {
	home = mkdtempSync(join(tmpdir(), "rightseat-account-"));
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

const OWN: NewModelAccount = { kind: "own", type: "openai", url: "http://127.0.0.1:9/v1/", key: "a-key-of-the-person" };

const GH: GhLogin = { look: async () => ({ available: true, host: "github.com", user: "ann" }), token: async () => "gho_theTokenOfGh" };

function create(from: "nothing" | "configuration" | "demo-flag" = "nothing") {
	const connected: ModelAccount[] = [];
	const hidden: string[] = [];
	const checks: { run: () => Promise<void> } = { run: async () => undefined };
	const store = createModelAccount({
		...{ home, from, first: { kind: "demo" }, hide: (secret) => void hidden.push(secret), gh: GH },
		accounts: { check: () => checks.run(), connect: (account) => void connected.push(account) },
	});
	return { store, connected, hidden, checks };
}

test("[PG783] what was connected lies whole in a private file, and no answer has the key in it", async () => {
	const { store, connected, hidden } = create();
	const view = await store.connect(OWN);
	expect(view).toEqual({ kind: "own", from: "page", type: "openai", url: "http://127.0.0.1:9/v1", hasKey: true });
	expect(store.view()).toEqual(view);
	expect(JSON.stringify(view)).not.toContain("a-key");
	expect([connected, hidden]).toEqual([[{ ...OWN, url: "http://127.0.0.1:9/v1" }], ["a-key-of-the-person"]]);
	expect(statSync(join(home, ACCOUNT_FILE)).mode & 0o777).toBe(0o600);
	expect([readAccountFile(home), readdirSync(home)]).toEqual([OWN, [ACCOUNT_FILE]]);
});

test("[PG782] an account that does not pass its trial, or that the disk refuses, changes nothing", async () => {
	const { store, connected, checks } = create();
	checks.run = () => Promise.reject(new AppError("provider-auth", "No."));
	await expect(store.connect(OWN)).rejects.toMatchObject({ code: "provider-auth" });
	expect([store.view().kind, connected, readdirSync(home)]).toEqual(["demo", [], []]);
	checks.run = async () => undefined;
	rmSync(home, { recursive: true });
	await expect(store.connect(OWN)).rejects.toMatchObject({ code: "storage-read-only", params: { reason: "model-account" } });
	expect([store.view().kind, connected]).toEqual(["demo", []]);
});

test("[PG782] two that are connected at once are tried one after the other, and the file is what answers", async () => {
	const { store, connected, checks } = create();
	let tried = 0;
	let release: () => void = () => undefined;
	const trial = new Promise<void>((resolve) => {
		release = resolve;
	});
	checks.run = () => {
		tried += 1;
		return trial;
	};
	const first = store.connect(OWN);
	const second = store.connect({ kind: "copilot", token: "second-token" });
	await expect.poll(() => tried).toBe(1);
	release();
	await Promise.all([first, second]);
	expect(connected.map(({ kind }) => kind)).toEqual(["own", "copilot"]);
	expect(readAccountFile(home)).toEqual({ kind: "copilot", token: "second-token" });
});

test("[PG786] forgetting removes the file, and the demo pilot answers again", async () => {
	const { store, connected } = create();
	await store.connect(OWN);
	expect(await store.forget()).toEqual({ kind: "demo", from: "nothing", hasKey: false });
	expect([connected.at(-1), readdirSync(home), (await store.forget()).kind]).toEqual([{ kind: "demo" }, [], "demo"]);
});

test("[PG784] what the configuration or --demo says is not changed on the page, and the refusal says where it is", async () => {
	for (const from of ["configuration", "demo-flag"] as const) {
		const { store, connected } = create(from);
		await expect(store.connect(OWN)).rejects.toMatchObject({ code: "forbidden", params: { reason: from } });
		await expect(store.forget()).rejects.toMatchObject({ code: "forbidden" });
		expect([connected, readdirSync(home)]).toEqual([[], []]);
	}
});

test("[PG784] a file that nobody understands is told apart from none, and its words are not repeated", () => {
	expect(readAccountFile(home)).toBeUndefined();
	for (const content of ['{"kind":"own","url":"sk-secret', '{"kind":"else"}', ""]) {
		writeFileSync(join(home, ACCOUNT_FILE), content);
		chmodSync(join(home, ACCOUNT_FILE), 0o600);
		expect(readAccountFile(home)).toBe("unreadable");
		expect(readFileSync(join(home, ACCOUNT_FILE), "utf8")).toBe(content);
	}
});

test("[PG782] an address with a password, a key with a space or a line break, and another scheme are refused before anything is tried", () => {
	for (const bad of [
		{ kind: "own", url: "http://me:pw@example.com/v1" },
		{ kind: "own", url: "ftp://example.com" },
		{ kind: "own", url: "example.com/v1" },
		{ kind: "own", url: "http://example.com", key: "two words" },
		{ kind: "own", url: "http://example.com", key: "a\nb" },
		{ kind: "own", url: "http://example.com", key: "k".repeat(5_000) },
		{ kind: "own", url: "http://example.com", type: "other" },
		{ kind: "copilot" },
		{ kind: "demo" },
		{},
	])
		expect(modelAccountBody.safeParse(bad).success, JSON.stringify(bad)).toBe(false);
	expect(modelAccountBody.parse({ kind: "copilot", token: " gho_x\n" })).toEqual({ kind: "copilot", token: "gho_x" });
});

test("[AN1] the login of gh is used by a deliberate act, tried like a token, and nothing of it is kept", async () => {
	const { store, connected, hidden, checks } = create();
	expect([await store.offered(), connected]).toEqual([{ available: true, host: "github.com", user: "ann" }, []]);
	checks.run = () => Promise.reject(new AppError("provider-auth", "No."));
	await expect(store.connect({ kind: "gh" })).rejects.toMatchObject({ code: "provider-auth" });
	expect(readdirSync(home)).toEqual([]);
	checks.run = async () => undefined;
	expect(await store.connect({ kind: "gh" })).toEqual({ kind: "copilot", from: "page", hasKey: true, login: "gh" });
	expect([connected, hidden]).toEqual([[{ kind: "copilot", token: "gho_theTokenOfGh" }], ["gho_theTokenOfGh", "gho_theTokenOfGh"]]);
	expect([readFileSync(join(home, ACCOUNT_FILE), "utf8"), readAccountFile(home)]).toEqual(['{"kind":"gh"}\n', { kind: "gh" }]);
	expect(await store.connect(OWN)).not.toHaveProperty("login");
});
