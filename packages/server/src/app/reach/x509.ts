import { createHash, type KeyObject, randomBytes, sign } from "node:crypto";

/** A certificate to be written. Keys are on the curve P-256. */
export interface CertificateWish {
	subject: string;
	issuer: string;
	notBefore: Date;
	notAfter: Date;
	publicKey: KeyObject;
	/** The issuer's. */
	signingKey: KeyObject;
	extensions: readonly Uint8Array[];
}

/** An X.509 certificate, version 3, as DER (RFC 5280). Written only: nothing that comes from elsewhere is read here. */
export function makeCertificate(wish: CertificateWish): Uint8Array {
	const algorithm = sequence(oid("1.2.840.10045.4.3.2"));
	const validity = sequence(time(wish.notBefore), time(wish.notAfter));
	const content = sequence(
		der(0xa0, der(0x02, Uint8Array.of(2))),
		// Positive, and twenty bytes at most.
		der(0x02, Buffer.concat([Uint8Array.of(1), randomBytes(15)])),
		algorithm,
		commonName(wish.issuer),
		validity,
		commonName(wish.subject),
		wish.publicKey.export({ type: "spki", format: "der" }),
		der(0xa3, sequence(...wish.extensions)),
	);
	return sequence(content, algorithm, bits(sign("sha256", content, wish.signingKey)));
}

/** May sign certificates, but no further authority. */
export const forAuthority = () => [
	extension("2.5.29.19", sequence(der(0x01, Uint8Array.of(0xff)), der(0x02, Uint8Array.of(0))), true),
	// keyCertSign, cRLSign
	extension("2.5.29.15", der(0x03, Uint8Array.of(1, 0x06)), true),
];

/** Is a server, and signs nothing. */
export const forServer = () => [
	extension("2.5.29.19", sequence(), true),
	// digitalSignature
	extension("2.5.29.15", der(0x03, Uint8Array.of(7, 0x80)), true),
	extension("2.5.29.37", sequence(oid("1.3.6.1.5.5.7.3.1"))),
];

/** What a server is called: addresses of IPv4, and a name. */
export function calledBy(addresses: readonly string[], name: string | undefined): Uint8Array {
	const names = addresses.map((address) => der(0x87, Uint8Array.from(address.split(".").map(Number))));
	if (name !== undefined) names.push(der(0x82, Buffer.from(name)));
	return extension("2.5.29.17", sequence(...names));
}

/** The only networks (`10.0.0.0/8`) and the only name that an authority may vouch for. */
export function onlyFor(networks: readonly string[], name: string): Uint8Array {
	const subtrees = networks.map((net) => sequence(der(0x87, netAndMask(net))));
	return extension("2.5.29.30", sequence(der(0xa0, ...subtrees, sequence(der(0x82, Buffer.from(name))))), true);
}

function netAndMask(net: string): Uint8Array {
	const [address = "", bits] = net.split("/");
	const mask = [0, 8, 16, 24].map((from) => 256 - 2 ** (8 - Math.min(8, Math.max(0, Number(bits) - from))));
	return Uint8Array.from([...address.split(".").map(Number), ...mask]);
}

/** Which key it is about, and which key signed it. */
export const subjectKey = (key: KeyObject) => extension("2.5.29.14", der(0x04, keyId(key)));
export const authorityKey = (key: KeyObject) => extension("2.5.29.35", sequence(der(0x80, keyId(key))));

/** The point of the public key is the end of its encoding: one byte for its form, and two coordinates. */
const keyId = (key: KeyObject) =>
	createHash("sha1")
		.update(key.export({ type: "spki", format: "der" }).subarray(-65))
		.digest();

function extension(id: string, value: Uint8Array, critical = false): Uint8Array {
	return sequence(oid(id), ...(critical ? [der(0x01, Uint8Array.of(0xff))] : []), der(0x04, value));
}

const commonName = (name: string) => sequence(der(0x31, sequence(oid("2.5.4.3"), der(0x0c, Buffer.from(name)))));
const bits = (value: Uint8Array) => der(0x03, Buffer.concat([Uint8Array.of(0), value]));
const sequence = (...parts: Uint8Array[]) => der(0x30, ...parts);

/** Years before 2050 have two digits, later ones four. */
function time(date: Date): Uint8Array {
	const digits = `${date.toISOString().replace(/\.\d+Z$|[-:T]/g, "")}Z`;
	return date.getUTCFullYear() < 2050 ? der(0x17, Buffer.from(digits.slice(2))) : der(0x18, Buffer.from(digits));
}

function oid(id: string): Uint8Array {
	const [first = 0, second = 0, ...rest] = id.split(".").map(Number);
	return der(0x06, Uint8Array.from([first * 40 + second, ...rest.flatMap(sevenBits)]));
}

function sevenBits(number: number): number[] {
	const digits = [number & 0x7f];
	for (let left = number >>> 7; left > 0; left >>>= 7) digits.unshift((left & 0x7f) | 0x80);
	return digits;
}

function der(tag: number, ...parts: Uint8Array[]): Uint8Array {
	const content = Buffer.concat(parts);
	const { length } = content;
	const head = length < 0x80 ? [length] : length < 0x100 ? [0x81, length] : [0x82, length >> 8, length & 0xff];
	return Buffer.concat([Uint8Array.from([tag, ...head]), content]);
}
