/** The layers of the house and what each may import. ARCHITECTURE.md draws the same picture. */
export interface Layer {
	name: string;
	folder: string;
	/** Other layers. */
	imports: readonly string[];
	/** Packages; `node:` stands for Node's own modules. */
	packages: readonly string[];
}

/** The rooms of core, lowest first: each may import the ones before it. */
const CORE_ROOMS = [
	"kernel",
	"ports",
	"log",
	"active",
	"inbox",
	"changes",
	"asks",
	"usage",
	"commands",
	"turns",
	"forks",
	"titles",
	"context",
	"conversations",
	"schedules",
	"fleet",
];

export const LAYERS: readonly Layer[] = [
	{ name: "protocol", folder: "packages/protocol/src", imports: [], packages: ["zod"] },
	{ name: "shell package", folder: "packages/shell/src", imports: ["protocol"], packages: ["node:", "koffi", "re2js"] },
	{ name: "cli package", folder: "packages/cli/src", imports: ["protocol"], packages: ["node:", "ws", "zod"] },
	{ name: "changes package", folder: "packages/changes/src", imports: ["protocol"], packages: ["node:", "koffi"] },
	...CORE_ROOMS.map((room, index) => ({
		name: `core/${room}`,
		folder: `packages/server/src/core/${room}`,
		imports: ["protocol", ...CORE_ROOMS.slice(0, index).map((lower) => `core/${lower}`)],
		packages: [],
	})),
	{
		name: "services",
		folder: "packages/server/src/services",
		imports: ["core", "protocol"],
		packages: ["node:", "zod", "croner", "markdown-it", "markdown-it-cjk-friendly"],
	},
	{ name: "mcp", folder: "packages/server/src/mcp", imports: ["core"], packages: ["node:", "zod"] },
	{
		name: "runtime",
		folder: "packages/server/src/runtime",
		imports: ["core", "mcp", "protocol", "shell package"],
		packages: ["node:", "zod", "@github/copilot-sdk"],
	},
	{
		name: "shell",
		folder: "packages/server/src/shell",
		imports: ["core", "protocol", "shell package"],
		packages: ["node:", "zod"],
	},
	{
		name: "changes",
		folder: "packages/server/src/changes",
		imports: ["core", "protocol", "changes package"],
		packages: [],
	},
	{
		name: "store",
		folder: "packages/server/src/store",
		imports: ["core", "protocol"],
		packages: ["node:", "zod"],
	},
	{
		name: "fleet nats",
		folder: "packages/server/src/fleet/nats",
		imports: ["core", "protocol", "fleet"],
		packages: ["node:", "@nats-io/transport-node", "@nats-io/jetstream", "@nats-io/kv"],
	},
	{
		name: "fleet",
		folder: "packages/server/src/fleet",
		imports: ["core", "protocol"],
		packages: ["node:", "zod"],
	},
	{
		name: "web channel",
		folder: "packages/server/src/channels/web",
		imports: ["core", "services", "protocol"],
		packages: [...["node:", "zod", "ws", "fastify"], ...["@lydell/node-pty", "@simplewebauthn/server", "web-push", "uqr"]],
	},
	{
		name: "telegram channel",
		folder: "packages/server/src/channels/telegram",
		imports: ["core", "services", "protocol"],
		packages: ["node:", "zod", "grammy", "markdown-it", "markdown-it-cjk-friendly"],
	},
	{
		name: "mcp channel",
		folder: "packages/server/src/channels/mcp",
		imports: ["core", "services", "mcp", "protocol"],
		packages: ["node:", "zod"],
	},
	{
		name: "app",
		folder: "packages/server/src/app",
		imports: [
			"core",
			"protocol",
			"cli package",
			"shell package",
			"services",
			"runtime",
			"shell",
			"changes",
			"store",
			"fleet",
			"fleet nats",
			"web channel",
			"telegram channel",
			"mcp channel",
		],
		packages: ["node:", "zod", "pino", "uqr"],
	},
	{
		name: "page",
		folder: "packages/web/src",
		imports: ["protocol"],
		packages: [
			...["react", "react-dom", "wouter", "zustand", "cmdk", "lucide-react", "clsx", "zod"],
			...["markdown-it", "markdown-it-cjk-friendly", "remend", "shiki", "katex"],
			...["@xterm/xterm", "@xterm/addon-fit", "@xterm/addon-web-links"],
		],
	},
];

/** May this layer import from the other? `core` stands for every room of it. */
export const mayImport = (layer: Layer, other: Layer): boolean =>
	layer === other || layer.imports.includes(other.name) || (layer.imports.includes("core") && other.name.startsWith("core/"));

/** The layer that a file of the checkout belongs to. */
export const layerOf = (path: string) => LAYERS.find((layer) => path.startsWith(`${layer.folder}/`));

/** `@scope/name/file` and `name/file` without the file. */
export function packageOf(specifier: string): string {
	if (specifier.startsWith("node:")) return "node:";
	return specifier
		.split("/")
		.slice(0, specifier.startsWith("@") ? 2 : 1)
		.join("/");
}
