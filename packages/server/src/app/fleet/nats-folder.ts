import { createPublicKey, generateKeyPairSync, type KeyObject, randomBytes, X509Certificate } from "node:crypto";
import { existsSync, mkdirSync } from "node:fs";
import { isIPv4 } from "node:net";
import { join, resolve } from "node:path";
import { CliError, EXIT } from "@rightseat/cli/cli-error";
import { lanNames } from "../reach/lan-names.ts";
import { writePrivately } from "../reach/write-privately.ts";
import { authorityKey, calledBy, forAuthority, forServer, makeCertificate, subjectKey } from "../reach/x509.ts";
import type { FleetRun } from "./fleet-command.ts";

const DAY_MS = 86_400_000;
/** Nobody makes it anew by itself. */
const CERTIFICATE_DAYS = 1_825;
const TITLE = "Rightseat fleet";

/** `rightseat fleet nats-config DIR`: everything that a NATS server for a fleet needs but the program. */
export function natsConfig(run: FleetRun): Promise<number> {
	const { words, cli, argument } = run;
	if (argument === undefined) throw new CliError(words.noFolder);
	const folder = resolve(cli.cwd, argument);
	if (existsSync(join(folder, "nats.conf"))) throw new CliError(words.folderUsed(folder), EXIT.failed);
	const { host, port } = listenFrom(run);
	mkdirSync(folder, { recursive: true, mode: 0o700 });
	const { ca, chain, key } = makeCertificates(host);
	const [fleet, door] = ["fleet", "door"].map((user) => `${user}:${randomBytes(18).toString("base64url")}`);
	const files: Record<string, string> = {
		"ca.pem": ca,
		"cert.pem": chain,
		"key.pem": key,
		"fleet.creds": `${fleet}\n`,
		"door.creds": `${door}\n`,
		"users.conf": usersText(fleet ?? "", door ?? ""),
		// Last: with it the folder counts as made.
		"nats.conf": configText(folder, port),
	};
	for (const [name, text] of Object.entries(files)) writePrivately(join(folder, name), text);
	cli.print(words.natsFolder(folder, `tls://${host}:${port}`));
	return Promise.resolve(EXIT.done);
}

function listenFrom({ words, listen }: FleetRun): { host: string; port: number } {
	const [, name = "", digits = "4222"] = /^([^:\s/]+)(?::(\d{1,5}))?$/.exec(listen ?? lanNames().addresses[0] ?? "") ?? [];
	if (name === "" || Number(digits) > 65_535 || Number(digits) < 1) throw new CliError(words.badListen);
	return { host: name, port: Number(digits) };
}

/** A certificate for this machine, and the authority that vouches for it; the authority's key is forgotten, so that it never vouches for anything else. */
function makeCertificates(host: string): { ca: string; chain: string; key: string } {
	const [authority, own] = [makeKeys(), makeKeys()];
	const { addresses } = lanNames();
	const valid = { notBefore: new Date(Date.now() - DAY_MS), notAfter: new Date(Date.now() + CERTIFICATE_DAYS * DAY_MS) };
	const signer = { issuer: TITLE, signingKey: authority.privateKey, ...valid };
	const ca = pemOf(
		makeCertificate({
			...{ ...signer, subject: TITLE, publicKey: authority.publicKey },
			extensions: [...forAuthority(), subjectKey(authority.publicKey)],
		}),
	);
	const all = [...new Set([...(isIPv4(host) ? [host] : []), "127.0.0.1", ...addresses])];
	const leaf = makeCertificate({
		...{ ...signer, subject: "NATS", publicKey: own.publicKey },
		extensions: [
			...[...forServer(), calledBy(all, isIPv4(host) ? undefined : host)],
			...[authorityKey(createPublicKey(authority.privateKey)), subjectKey(own.publicKey)],
		],
	});
	// With the authority behind it, so that a newcomer who knows its hash can take it from here.
	return { ca, chain: pemOf(leaf) + ca, key: keyPem(own.privateKey) };
}

const makeKeys = () => generateKeyPairSync("ec", { namedCurve: "P-256" });
const pemOf = (der: Uint8Array) => new X509Certificate(der).toString();
const keyPem = (key: KeyObject) => String(key.export({ type: "pkcs8", format: "pem" }));

const configText = (folder: string, port: number) => `# A NATS server for a fleet of Rightseats, made by "rightseat fleet nats-config".
listen: "0.0.0.0:${port}"
jetstream { store_dir: ${JSON.stringify(join(folder, "jetstream"))}, max_file_store: 6G }
tls { cert_file: ${JSON.stringify(join(folder, "cert.pem"))}, key_file: ${JSON.stringify(join(folder, "key.pem"))} }
include "users.conf"
`;

const usersText = (fleet: string, door: string) => {
	const [user = "", password = ""] = fleet.split(":");
	const [doorName = "", doorPassword = ""] = door.split(":");
	return `# Who may use this server. "rightseat fleet permissions" prints one user for each host in place of the one that all share.
authorization {
  users = [
    { user: "${user}", password: "${password}" }
    # With this newcomers knock, and can do nothing else.
    { user: "${doorName}", password: "${doorPassword}", permissions: { publish: "rs.*.pair.*", subscribe: "_INBOX.door.>" } }
  ]
}
`;
};
