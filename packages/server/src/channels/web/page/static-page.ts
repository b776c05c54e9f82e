import { createReadStream, readdirSync, statSync } from "node:fs";
import { extname, join, sep } from "node:path";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { Clock } from "../../../core/kernel/clock.ts";
import { problem } from "../http/http-errors.ts";

const TYPES: Record<string, string> = {
	".html": "text/html; charset=utf-8",
	".js": "text/javascript; charset=utf-8",
	".css": "text/css; charset=utf-8",
	".json": "application/json; charset=utf-8",
	".webmanifest": "application/manifest+json; charset=utf-8",
	".svg": "image/svg+xml",
	".png": "image/png",
	".ico": "image/x-icon",
	".webp": "image/webp",
	".woff2": "font/woff2",
	".wasm": "application/wasm",
	".txt": "text/plain; charset=utf-8",
};
const RESCAN_MS = 1_000;
const MAX_FILES = 2_000;
const NOT_BUILT = "The page has not been built yet. Stop the server and run `npm start`, which builds it.\n";

interface StaticFile {
	path: string;
	size: number;
	mtimeMs: number;
	etag: string;
	type: string;
	/** Its name carries a hash of its content. */
	immutable: boolean;
	/** Paths of compressed twins. */
	encodings: Map<string, string>;
}

/**
 * The built page. Files are looked up in a list made from the folder, so a path can never lead out of it;
 * any other path gets the page itself, which has its own addresses.
 */
export function registerStaticPage(
	app: FastifyInstance,
	deps: { webRoot: string; clock: Clock; isLoggedIn(headers: { cookie?: string | undefined; host?: string | undefined }): boolean },
) {
	let files = new Map<string, StaticFile>();
	let scannedAt = Number.NEGATIVE_INFINITY;
	function find(path: string): StaticFile | undefined {
		const known = files.get(path);
		// A build may replace the folder while we run; its old names are gone then.
		if (known !== undefined && statSync(known.path, { throwIfNoEntry: false })?.mtimeMs === known.mtimeMs) return known;
		if (deps.clock.elapsed() - scannedAt >= RESCAN_MS) {
			scannedAt = deps.clock.elapsed();
			files = scan(deps.webRoot);
		}
		return files.get(path);
	}

	/** Whoever is logged in gets a page with a box to write in before any code has come; others must log in first. */
	function findPage(request: FastifyRequest): StaticFile | undefined {
		const page = deps.isLoggedIn(request.headers) ? find("/signed-in.html") : undefined;
		return page ?? find("/index.html");
	}

	async function serve(request: FastifyRequest, reply: FastifyReply) {
		const path = request.url.split("?", 1)[0] ?? "/";
		const isAsset = path.startsWith("/assets/");
		const isPage = path === "/index.html" || path === "/signed-in.html";
		const file = (isPage ? undefined : find(path)) ?? (isAsset ? undefined : findPage(request));
		if (file !== undefined) return sendFile(request, reply, file);
		if (isAsset) return reply.code(404).send(problem(404, "not-found", "There is no such file.").body);
		return reply.code(503).type("text/plain; charset=utf-8").send(NOT_BUILT);
	}
	app.get("/", { config: { open: true, page: true } }, serve);
	app.get("/*", { config: { open: true, page: true } }, serve);
	app.all("/api/*", async (_request, reply) => reply.code(404).send(problem(404, "not-found", "There is no such address.").body));
	app.setNotFoundHandler({}, async (_request, reply) => reply.code(404).send(problem(404, "not-found", "There is no such address.").body));
}

function sendFile(request: FastifyRequest, reply: FastifyReply, file: StaticFile) {
	reply.header("cache-control", file.immutable ? "public, max-age=31536000, immutable" : "no-cache");
	reply.header("vary", file.immutable ? "Accept-Encoding" : "Accept-Encoding, Cookie");
	reply.header("etag", file.etag);
	if (request.headers["if-none-match"] === file.etag) return reply.code(304).send();
	reply.type(file.type);
	const accepted = String(request.headers["accept-encoding"] ?? "");
	for (const encoding of ["br", "gzip"]) {
		const packed = file.encodings.get(encoding);
		if (packed === undefined || !new RegExp(`\\b${encoding}\\b`).test(accepted)) continue;
		// A build that is still writing has not made the twin of a new file yet.
		const twin = statSync(packed, { throwIfNoEntry: false });
		if (twin === undefined || twin.mtimeMs < file.mtimeMs) continue;
		reply.header("content-encoding", encoding).header("content-length", twin.size);
		return reply.send(request.method === "HEAD" ? undefined : createReadStream(packed));
	}
	reply.header("content-length", file.size);
	return reply.send(request.method === "HEAD" ? undefined : createReadStream(file.path));
}

function scan(root: string): Map<string, StaticFile> {
	const files = new Map<string, StaticFile>();
	if (statSync(root, { throwIfNoEntry: false })?.isDirectory() !== true) return files;
	const names = readdirSync(root, { recursive: true, withFileTypes: true })
		.filter((entry) => entry.isFile())
		.map((entry) => join(entry.parentPath, entry.name))
		.slice(0, MAX_FILES);
	const present = new Set(names);
	for (const path of names) {
		if (path.endsWith(".br") || path.endsWith(".gz") || path.endsWith(".map")) continue;
		const stat = statSync(path);
		const url = path.slice(root.length).split(sep).join("/");
		const encodings = new Map<string, string>();
		for (const [encoding, suffix] of [["br", ".br"] as const, ["gzip", ".gz"] as const]) {
			if (present.has(path + suffix)) encodings.set(encoding, path + suffix);
		}
		files.set(url.startsWith("/") ? url : `/${url}`, {
			path,
			size: stat.size,
			mtimeMs: stat.mtimeMs,
			etag: `"${stat.size.toString(36)}-${Math.trunc(stat.mtimeMs).toString(36)}"`,
			type: TYPES[extname(path).toLowerCase()] ?? "application/octet-stream",
			immutable: url.startsWith("/assets/"),
			encodings,
		});
	}
	return files;
}
