/** No command can be run on this machine; the message says what to do about it. */
export class ShellUnavailable extends Error {
	readonly code = "shell-unavailable";
}
