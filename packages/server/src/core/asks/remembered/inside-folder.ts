/** Where a path leads, as text; undefined when the text cannot tell, because a name before `..` may be a link to anywhere. */
export function resolvePath(cwd: string, path: string): string | undefined {
	const names = path.startsWith("/") ? [] : cwd.split("/").filter((name) => name !== "");
	let down = false;
	for (const name of path.split("/")) {
		if (name === "" || name === ".") continue;
		if (name === "..") {
			if (down) return undefined;
			names.pop();
		} else {
			down = true;
			names.push(name);
		}
	}
	return `/${names.join("/")}`;
}

/** Whether an absolute path is this folder or below it. */
export const isInside = (folder: string, path: string) => path === folder || folder === "/" || path.startsWith(`${folder}/`);

/** What git keeps for itself decides which programs the next command of git starts. */
export const isGitsOwn = (path: string) => path.toLowerCase().split("/").includes(".git");

/** Every place that an argument may name: itself, and what stands after `=`, `:`, `,` and `@`, or behind the letters of an option. */
export function placesIn(cwd: string, argument: string): (string | undefined)[] {
	const pieces = argument.split(/[=:,@]/).filter((piece) => /^[/~]|(^|\/)\.\.(\/|$)/.test(piece));
	if (argument.startsWith("-")) {
		const slash = argument.indexOf("/");
		const up = argument.indexOf("..");
		if (slash !== -1) pieces.push(argument.slice(slash));
		if (up !== -1) pieces.push(argument.slice(up));
	} else pieces.push(argument);
	return pieces.map((piece) => (piece.startsWith("~") ? undefined : resolvePath(cwd, piece)));
}
