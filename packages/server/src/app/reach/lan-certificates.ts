import { createHash, createPrivateKey, createPublicKey, generateKeyPairSync, type KeyObject, X509Certificate } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import type { LanCertificate, LanCertificates } from "../../channels/web/reach/lan.ts";
import { lanNames } from "./lan-names.ts";
import { writePrivately } from "./write-privately.ts";
import { authorityKey, calledBy, forAuthority, forServer, makeCertificate, onlyFor, subjectKey } from "./x509.ts";

const DAY_MS = 86_400_000;
/** Phones refuse what is valid for more than 398 days; ours is made anew long before. */
const LEAF_DAYS = 90;
const RENEW_BEFORE_DAYS = 30;
const CA_DAYS = 3_650;
/** Private and link-local networks, and whoever asks itself. */
const NETWORKS = ["10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16", "169.254.0.0/16", "127.0.0.0/8"];

type Names = ReturnType<typeof lanNames>;
interface Authority {
	certificate: X509Certificate;
	key: KeyObject;
}

/** Where the authority's certificate lies, for those who check what it vouches for. */
export const caFile = (home: string): string => join(home, "lan", "ca.pem");
const caKeyFile = (home: string) => join(home, "lan", "ca-key.pem");

/**
 * An authority of our own for the local network, in the home with its key, and certificates of it, which are in memory only. The authority can vouch
 * for private addresses and for this machine's name, and for nothing else: whoever steals its key cannot pretend to be somebody's bank.
 */
export function createLanCertificates(home: string, deps: { names?: () => Names; now?: () => number } = {}): LanCertificates {
	const { names = lanNames, now = Date.now } = deps;
	let issued: (LanCertificate & { goodUntil: number }) | undefined;
	return {
		async issue() {
			const wanted = names();
			const all = [...wanted.addresses, ...(wanted.name === undefined ? [] : [wanted.name])];
			if (wanted.addresses.length === 0) return undefined;
			if (issued !== undefined && issued.goodUntil > now() && issued.names.join() === all.join()) return issued;
			const authority = readAuthority(home, wanted, now()) ?? makeAuthority(home, wanted, now());
			issued = {
				...makeLeaf(authority, wanted, now()),
				ca: authority.certificate.raw,
				fingerprint: fingerprintOf(authority.certificate.raw),
				names: all,
				goodUntil: now() + (LEAF_DAYS - RENEW_BEFORE_DAYS) * DAY_MS,
			};
			return issued;
		},
		forget() {
			issued = undefined;
			rmSync(join(home, "lan"), { recursive: true, force: true });
		},
	};
}

/** SHA-256, as phones and browsers write it. */
const fingerprintOf = (der: Uint8Array) => (createHash("sha256").update(der).digest("hex").toUpperCase().match(/../g) ?? []).join(":");

/** The one that phones trust already, unless it is of another name, nearly over, or broken. */
function readAuthority(home: string, { name }: Names, now: number): Authority | undefined {
	if (!existsSync(caFile(home)) || !existsSync(caKeyFile(home))) return undefined;
	try {
		const certificate = new X509Certificate(readFileSync(caFile(home)));
		const key = createPrivateKey(readFileSync(caKeyFile(home)));
		const isGood = Date.parse(certificate.validTo) - now > LEAF_DAYS * DAY_MS && certificate.checkPrivateKey(key);
		return isGood && certificate.subject === `CN=${titleOf(name)}` ? { certificate, key } : undefined;
	} catch {
		// A file of half its length: phones have to trust a new one.
		return undefined;
	}
}

function makeAuthority(home: string, { name }: Names, now: number): Authority {
	const { publicKey, privateKey } = makeKeys();
	const der = makeCertificate({
		...{ subject: titleOf(name), issuer: titleOf(name), publicKey, signingKey: privateKey },
		...{ notBefore: new Date(now - DAY_MS), notAfter: new Date(now + CA_DAYS * DAY_MS) },
		// Where no name is permitted, every name is.
		extensions: [...forAuthority(), onlyFor(NETWORKS, name ?? "rightseat.invalid"), subjectKey(publicKey)],
	});
	mkdirSync(join(home, "lan"), { recursive: true, mode: 0o700 });
	const certificate = new X509Certificate(der);
	writePrivately(caKeyFile(home), pemOf(privateKey));
	writePrivately(caFile(home), certificate.toString());
	return { certificate, key: privateKey };
}

function makeLeaf({ key }: Authority, { addresses, name }: Names, now: number): { cert: string; key: string } {
	const { publicKey, privateKey } = makeKeys();
	const der = makeCertificate({
		...{ subject: "Rightseat", issuer: titleOf(name), publicKey, signingKey: key },
		...{ notBefore: new Date(now - DAY_MS), notAfter: new Date(now + (LEAF_DAYS - 1) * DAY_MS) },
		extensions: [...forServer(), calledBy(addresses, name), authorityKey(createPublicKey(key)), subjectKey(publicKey)],
	});
	return { cert: new X509Certificate(der).toString(), key: pemOf(privateKey) };
}

const makeKeys = () => generateKeyPairSync("ec", { namedCurve: "P-256" });
const pemOf = (key: KeyObject) => String(key.export({ type: "pkcs8", format: "pem" }));
const titleOf = (name: string | undefined) => (name === undefined ? "Rightseat" : `Rightseat on ${name}`);
