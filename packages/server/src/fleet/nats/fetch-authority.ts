import { createHash } from "node:crypto";
import { connect as dial, type Socket } from "node:net";
import { connect as connectTls, type DetailedPeerCertificate } from "node:tls";
import { AppError } from "../../core/kernel/errors.ts";
import { splitAddresses } from "./addresses.ts";

const LIMIT_MS = 5_000;
/** What the engine says first is shorter. */
const MAX_GREETING_BYTES = 65_536;

/**
 * The certificate with this SHA-256 out of those that the engine shows, as PEM: whoever has the hash from somebody they trust need not carry the file. Nothing
 * is said to the engine, and nothing of what it shows is believed but that. Undefined: it shows no such certificate, or none of the addresses answers.
 */
export async function fetchAuthority(url: string, hash: string): Promise<string | undefined> {
	for (const address of splitAddresses(url)) {
		const found = await chainOf(new URL(address)).catch(() => []);
		const der = found.find((each) => createHash("sha256").update(each).digest("hex") === hash);
		if (der !== undefined) return `-----BEGIN CERTIFICATE-----\n${wrapped(der.toString("base64"))}\n-----END CERTIFICATE-----\n`;
	}
	return undefined;
}

async function chainOf({ hostname, port }: URL): Promise<Buffer[]> {
	const host = hostname.replace(/^\[(.*)\]$/, "$1");
	const socket = dial({ host, port: Number(port || 4_222) });
	socket.setTimeout(LIMIT_MS, () => socket.destroy(noAnswer()));
	try {
		await greeting(socket);
		return await new Promise<Buffer[]>((resolve, reject) => {
			const secured = connectTls({ socket, rejectUnauthorized: false, ...(/^[\d.]+$|:/.test(host) ? {} : { servername: host }) });
			secured.once("error", reject);
			secured.once("close", () => resolve([]));
			secured.once("secureConnect", () => {
				resolve(certificatesIn(secured.getPeerCertificate(true)));
				secured.destroy();
			});
		});
	} finally {
		socket.destroy();
	}
}

/** The engine speaks first, in the clear. */
async function greeting(socket: Socket): Promise<void> {
	let said = 0;
	for (;;) {
		const chunk = await new Promise<Buffer>((resolve, reject) => {
			socket.once("data", resolve);
			socket.once("error", reject);
			socket.once("close", () => reject(noAnswer()));
		});
		said += chunk.length;
		if (chunk.includes("\n")) break;
		if (said > MAX_GREETING_BYTES) throw noAnswer();
	}
	socket.removeAllListeners("data").pause();
}

function certificatesIn(first: DetailedPeerCertificate): Buffer[] {
	const all: Buffer[] = [];
	// One that signed itself is its own issuer.
	for (let each = first; each?.raw !== undefined && !all.some((seen) => seen.equals(each.raw)); each = each.issuerCertificate)
		all.push(each.raw);
	return all;
}

const wrapped = (text: string) => (text.match(/.{1,64}/g) ?? []).join("\n");

const noAnswer = () => new AppError("fleet-not-connected", "NATS shows no certificate.");
