const KEPT =
	/^(PATH|HOME|USER|LOGNAME|SHELL|LANG|LANGUAGE|LC_[A-Z]+|TZ|TMPDIR|XDG_[A-Z_]+|DISPLAY|WAYLAND_DISPLAY|SSH_AUTH_SOCK|EDITOR|VISUAL|PAGER)$/;

/** What a terminal's shell may know of our environment: a list of names, so that no token of ours is in it by accident. */
export function terminalEnv(source: Record<string, string | undefined>): Record<string, string> {
	const env: Record<string, string> = { TERM: "xterm-256color", COLORTERM: "truecolor" };
	for (const [name, value] of Object.entries(source)) {
		if (value !== undefined && KEPT.test(name)) env[name] = value;
	}
	return env;
}
