// Parsed by every Node that runs modules at all: nothing newer than 2019 in this file.

/** True for ^20.19 || >=22.12. @param {string} version */
export function isSupportedNode(version) {
	const parts = version.split(".").map(Number);
	const major = parts[0] || 0;
	const minor = parts[1] || 0;
	return (major === 20 && minor >= 19) || (major === 22 && minor >= 12) || major > 22;
}

export function requireSupportedNode() {
	if (isSupportedNode(process.versions.node)) return;
	console.error(`Rightseat needs Node 20.19 or newer, 22.12 or newer, or any later one. This is Node ${process.versions.node}.`);
	process.exit(1);
}
