import type { GhLoginView, ModelAccountView } from "@rightseat/protocol/http/model-account";
import type { NewModelAccount } from "@rightseat/protocol/http/model-account-requests";
import { AppError } from "../../core/kernel/errors.ts";
import type { ModelAccount, ModelAccounts } from "../../core/ports/model-account.ts";
import { removeAccountFile, writeAccountFile } from "./account-file.ts";
import { type GhLogin, NO_GH_LOGIN } from "./gh-login.ts";

/** The account whose model answers, as people see and change it on the page. */
export interface ModelAccountStore {
	view(): ModelAccountView;
	/** Tries it, stores it, and from the next prompt on it answers. Rejects with an AppError; then nothing has changed. */
	connect(account: NewModelAccount): Promise<ModelAccountView>;
	/** The login that could be used instead of a token. Never rejects. */
	offered(): Promise<GhLoginView>;
	/** Forgets what was connected here: the demo pilot answers again. Rejects with an AppError; then nothing has changed. */
	forget(): Promise<ModelAccountView>;
}

/** Whatever the configuration says wins, and stays as it is. */
export function createModelAccount(deps: {
	home: string;
	/** As the server started. */
	first: ModelAccount;
	from: ModelAccountView["from"];
	/** Its token comes from there. */
	login?: "gh" | undefined;
	/** None without it. */
	gh?: GhLogin;
	accounts: ModelAccounts;
	/** Makes the redactor know a secret. */
	hide(secret: string): void;
}): ModelAccountStore {
	const gh = deps.gh ?? NO_GH_LOGIN;
	let current = deps.first;
	let from = deps.from;
	let login = deps.login;
	// One at a time: two that are tried at once could be stored in one order and used in the other.
	let last: Promise<unknown> = Promise.resolve();

	function requireOurs(): void {
		if (from === "configuration" || from === "demo-flag") throw configuredElsewhere(from);
	}
	function use(account: ModelAccount, source: ModelAccountView["from"], by?: "gh"): ModelAccountView {
		deps.accounts.connect(account);
		current = account;
		from = source;
		login = by;
		return view();
	}
	async function toUse(account: NewModelAccount): Promise<ModelAccount> {
		if (account.kind === "gh") return { kind: "copilot", token: await gh.token() };
		return account.kind === "own" ? { ...account, url: account.url.replace(/\/+$/, "") } : account;
	}
	async function connect(account: NewModelAccount): Promise<ModelAccountView> {
		requireOurs();
		const next = await toUse(account);
		// Before it is tried: what a provider says about a wrong key may quote it.
		for (const secret of secretsIn(next)) deps.hide(secret);
		await deps.accounts.check(next);
		await writeAccountFile(deps.home, account).catch(notStored);
		return use(next, "page", account.kind === "gh" ? "gh" : undefined);
	}
	async function forget(): Promise<ModelAccountView> {
		requireOurs();
		await removeAccountFile(deps.home).catch(notStored);
		return use({ kind: "demo" }, "nothing");
	}
	function inTurn(change: () => Promise<ModelAccountView>): Promise<ModelAccountView> {
		const done = last.then(change);
		last = done.catch(() => undefined);
		return done;
	}
	const view = (): ModelAccountView => ({ ...viewOf(current, from), ...(login === undefined ? {} : { login }) });
	return { view, offered: gh.look, connect: (account) => inTurn(() => connect(account)), forget: () => inTurn(forget) };
}

function secretsIn(account: ModelAccount): string[] {
	const secret = account.kind === "copilot" ? account.token : account.kind === "own" ? account.key : undefined;
	return secret === undefined ? [] : [secret];
}

function viewOf(account: ModelAccount, from: ModelAccountView["from"]): ModelAccountView {
	const { kind } = account;
	const hasKey = secretsIn(account).length > 0;
	return kind === "own" ? { kind, from, type: account.type, url: account.url, hasKey } : { kind, from, hasKey };
}

function configuredElsewhere(from: "configuration" | "demo-flag"): AppError {
	const message =
		from === "demo-flag"
			? "Rightseat was started with --demo. Start it without, then connect a model."
			: "The model is set where Rightseat is started (environment or config.json). Change it there, then start again.";
	return new AppError("forbidden", message, { params: { reason: from } });
}

function notStored(cause: unknown): never {
	throw new AppError("storage-read-only", "The home directory takes no writes, so nothing was changed. Check the disk, then try again.", {
		cause,
		params: { reason: "model-account" },
	});
}
