/** Makes a function that takes keys and tokens out of text that people or logs will see. */
export function createRedactor(secrets: (string | undefined)[]): (text: string) => string {
	const known = secrets.filter((secret) => secret !== undefined).filter((secret) => secret.length >= 4);
	return (text) => {
		let clean = text;
		for (const secret of known) clean = clean.replaceAll(secret, HIDDEN);
		for (const [pattern, replacement] of PATTERNS) clean = clean.replace(pattern, replacement);
		return clean;
	};
}

const HIDDEN = "[hidden]";
const PATTERNS: [RegExp, string][] = [
	[/\b(gh[pousr]_[A-Za-z0-9]{16,}|github_pat_[A-Za-z0-9_]{16,}|sk-[A-Za-z0-9_-]{12,})/g, HIDDEN],
	[/\b(Bearer|Basic)\s+[A-Za-z0-9._~+/=-]{8,}/gi, `$1 ${HIDDEN}`],
	[/((?:api[-_]?key|access[-_]?token|token|secret|password)["']?\s*[=:]\s*["']?)[^\s"'&,;}]{4,}/gi, `$1${HIDDEN}`],
	[/(\w+:\/\/)[^\s/@:]+:[^\s/@]+@/g, `$1${HIDDEN}@`],
];
