import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import { join } from "node:path";
import { promisify } from "node:util";

/** An npm registry on this machine that has exactly these packages, each packed from a folder when it is asked for, and beside each a newer one, whose file is `newer.tgz`. */
export interface PackageRegistry {
	readonly url: string;
	/** What was asked for, in order. */
	readonly asked: readonly string[];
	/** Bytes that are sent as the package instead of the packed folder; the registry vouches for them. */
	send(name: string, tarball: Buffer): void;
	close(): Promise<void>;
}

const MAX_PACKAGE_BYTES = 200 * 1024 * 1024;

/** @param folders where each package lies */
export async function startPackageRegistry(folders: Readonly<Record<string, string>>): Promise<PackageRegistry> {
	const [asked, sent]: [string[], Map<string, Buffer>] = [[], new Map()];
	async function tarballOf(name: string): Promise<Buffer | undefined> {
		const folder = folders[name];
		const known = sent.get(name);
		if (known !== undefined || folder === undefined) return known;
		const packed = await packFolder(folder);
		sent.set(name, packed);
		return packed;
	}
	const server = createServer((request, response) => {
		const [name = "", file] = decodeURIComponent(request.url ?? "")
			.slice(1)
			.split("/-/");
		asked.push(request.url ?? "");
		answer(name, file !== undefined).then(
			(body) => response.writeHead(body === undefined ? 404 : 200).end(body ?? "{}"),
			(error: unknown) => response.writeHead(500).end(String(error)),
		);
	});
	async function answer(name: string, wantsTarball: boolean): Promise<Buffer | string | undefined> {
		const tarball = await tarballOf(name);
		const folder = folders[name];
		if (tarball === undefined || folder === undefined || wantsTarball) return tarball;
		const manifest = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
		const distAt = (file: string) => ({ tarball: `${url}/${name}/-/${file}.tgz`, integrity: integrityOf(tarball) });
		const newer = manifest.version.replace(/\.\d+$/, ".999");
		return JSON.stringify({
			name,
			"dist-tags": { latest: newer },
			versions: {
				[manifest.version]: { ...manifest, dist: distAt("package") },
				[newer]: { ...manifest, version: newer, dist: distAt("newer") },
			},
		});
	}
	await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
	const address = server.address();
	if (address === null || typeof address === "string") throw new Error("The registry does not listen on a port.");
	const url = `http://127.0.0.1:${address.port}`;
	return {
		url,
		asked,
		send: (name, tarball) => void sent.set(name, tarball),
		async close() {
			server.closeAllConnections();
			await new Promise((resolve) => server.close(resolve));
		},
	};
}

/** A folder as npm packs it, but not compressed, which takes most of the time. */
export async function packFolder(folder: string): Promise<Buffer> {
	const { stdout } = await promisify(execFile)(
		"tar",
		["-c", "--exclude=./node_modules", "--transform=s,^\\.,package,", "-C", folder, "."],
		{
			encoding: "buffer",
			maxBuffer: MAX_PACKAGE_BYTES,
		},
	);
	return stdout;
}

export const integrityOf = (content: Buffer) => `sha512-${createHash("sha512").update(content).digest("base64")}`;
