/** The environment that commands may have: what a terminal of this person would hold, and nothing that is ours. */
export function childEnvironment(env: NodeJS.ProcessEnv, secrets: readonly string[]): Record<string, string> {
	const kept: Record<string, string> = {};
	for (const [name, value] of Object.entries(env)) {
		if (value !== undefined && ALLOWED.test(name) && !isSecret(name, secrets)) kept[name] = value;
	}
	if (kept.PATH !== undefined) kept.PATH = withoutPackagePaths(kept.PATH);
	return kept;
}

/** Our own names never reach a command, whoever exports them. */
export function isSecret(name: string, secrets: readonly string[]): boolean {
	return OURS.test(name) || secrets.includes(name);
}

const ALLOWED = new RegExp(
	`^(?:${[
		"PATH|HOME|USER|LOGNAME|SHELL|LANG|LANGUAGE|LC_.*|TZ|TMPDIR|XDG_.*",
		"(?:https?|ftp|all|no)_proxy|(?:HTTPS?|FTP|ALL|NO)_PROXY",
		"SSL_CERT_(?:FILE|DIR)|.*_CA_BUNDLE|NODE_EXTRA_CA_CERTS|GIT_SSL_CAINFO|PIP_CERT",
		"PYENV_ROOT|VIRTUAL_ENV|CONDA_.*|NVM_DIR|CARGO_HOME|RUSTUP_HOME|GOPATH|GOROOT|JAVA_HOME|ANDROID_HOME|HOMEBREW_.*|NIX_.*|PNPM_HOME|BUN_INSTALL|DENO_INSTALL",
	].join("|")})$`,
);
const OURS = /^(?:RIGHTSEAT_.*|COPILOT_.*|TELEGRAM_.*|GITHUB_TOKEN|GH_TOKEN|NODE_OPTIONS|NODE_CHANNEL_.*|BASH_ENV|ENV)$/;

/** Directories that a package script puts in front; a person's terminal does not have them. */
function withoutPackagePaths(path: string): string {
	return path
		.split(":")
		.filter((entry) => !entry.endsWith("/node_modules/.bin") && !entry.endsWith("/node-gyp-bin"))
		.join(":");
}

/** Nothing may wait for a key, page its output or colour it. */
export const FIXED_ENVIRONMENT: Readonly<Record<string, string>> = {
	TERM: "dumb",
	NO_COLOR: "1",
	PAGER: "cat",
	GIT_PAGER: "cat",
	MANPAGER: "cat",
	SYSTEMD_PAGER: "cat",
	GIT_TERMINAL_PROMPT: "0",
	GIT_EDITOR: "true",
	DEBIAN_FRONTEND: "noninteractive",
	PYTHONUNBUFFERED: "1",
};
