/** Method and path of every route, from the tree that fastify prints. */
export function listRoutes(tree: string): { method: string; path: string }[] {
	const found: { method: string; path: string }[] = [];
	const prefixes: string[] = [];
	for (const line of tree.split("\n")) {
		const match = /^((?:│ {3}| {4})*)(?:├── |└── )(.*?)(?: \(([A-Z, ]+)\))?$/.exec(line);
		if (match === null) continue;
		const [, indent = "", part = "", methods] = match;
		const depth = indent.length / 4;
		prefixes.length = depth;
		const path = `${prefixes[depth - 1] ?? ""}${part}`;
		prefixes[depth] = path;
		for (const method of methods?.split(", ") ?? []) found.push({ method, path });
	}
	return found.filter(({ method }) => ["GET", "POST", "PATCH", "PUT", "DELETE"].includes(method));
}
