import { X509Certificate } from "node:crypto";
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { connect, createServer as createTlsServer } from "node:tls";
import { afterEach, beforeEach, expect, test } from "vitest";
import { createLanCertificates } from "./lan-certificates.ts";
import { lanNames } from "./lan-names.ts";

let home: string;
beforeEach(() => {
	home = mkdtempSync(join(tmpdir(), "rightseat-lan-"));
});
afterEach(() => rmSync(home, { recursive: true }));

const DAY_MS = 86_400_000;
const names = { addresses: ["127.0.0.1", "192.168.1.5"], name: "box.local" };
async function issue(certificates: ReturnType<typeof createLanCertificates>) {
	const issued = await certificates.issue();
	if (issued === undefined) throw new Error("Nothing was issued.");
	return issued;
}

test("[RC21] the key of the authority is its owner's only, and the certificate is valid for less than 398 days and for these names", async () => {
	const issued = await issue(createLanCertificates(home, { names: () => names }));
	for (const name of ["ca.pem", "ca-key.pem"]) expect(statSync(join(home, "lan", name)).mode & 0o777).toBe(0o600);
	expect(statSync(join(home, "lan")).mode & 0o777).toBe(0o700);
	const [leaf, ca] = [new X509Certificate(issued.cert), new X509Certificate(Buffer.from(issued.ca))];
	expect(Date.parse(leaf.validTo) - Date.parse(leaf.validFrom)).toBeLessThanOrEqual(398 * DAY_MS);
	expect([leaf.checkIssued(ca), leaf.verify(ca.publicKey), ca.ca, leaf.ca]).toEqual([true, true, true, false]);
	expect([leaf.checkIP("192.168.1.5"), leaf.checkHost("box.local"), leaf.checkHost("other.local")]).toEqual([
		"192.168.1.5",
		"box.local",
		undefined,
	]);
	expect(issued.fingerprint).toBe(ca.fingerprint256);
	expect(readFileSync(join(home, "lan", "ca-key.pem"), "utf8")).not.toContain(issued.key);
});

/** Whether a client that trusts the authority believes what a server shows it under this name. */
async function isBelieved(shown: { cert: string; key: string }, ca: Uint8Array, name: string): Promise<boolean> {
	const server = createTlsServer(shown).listen(0, "127.0.0.1");
	await new Promise((resolve) => server.once("listening", resolve));
	const address = server.address();
	const port = typeof address === "object" && address !== null ? address.port : 0;
	const pem = new X509Certificate(Buffer.from(ca)).toString();
	try {
		return await new Promise((resolve) => {
			const socket = connect({ host: "127.0.0.1", port, servername: name, ca: pem }, () => resolve(true));
			socket.on("error", () => resolve(false));
			socket.on("close", () => resolve(false));
		});
	} finally {
		server.close();
	}
}

test("[RC21] the authority vouches for this machine and for nothing in the internet, also for who has stolen its key", async () => {
	const own = await issue(createLanCertificates(home, { names: () => names }));
	expect(await isBelieved(own, own.ca, "box.local")).toBe(true);
	// A thief signs another name with the same key: the authority's own name does not change, only what it signs.
	const { authorityKey, calledBy, forServer, makeCertificate, subjectKey } = await import("./x509.ts");
	const { createPrivateKey, createPublicKey, generateKeyPairSync } = await import("node:crypto");
	const stolen = createPrivateKey(readFileSync(join(home, "lan", "ca-key.pem")));
	const { publicKey, privateKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
	for (const [addresses, name, isPermitted] of [
		[["127.0.0.1"], "box.local", true],
		[[], "bank.example", false],
		[["203.0.113.7"], "box.local", false],
	] as const) {
		const der = makeCertificate({
			...{ subject: "Rightseat", issuer: "Rightseat on box.local", publicKey, signingKey: stolen },
			...{ notBefore: new Date(Date.now() - DAY_MS), notAfter: new Date(Date.now() + DAY_MS) },
			extensions: [...forServer(), calledBy(addresses, name), authorityKey(createPublicKey(stolen)), subjectKey(publicKey)],
		});
		const forged = { cert: new X509Certificate(der).toString(), key: String(privateKey.export({ type: "pkcs8", format: "pem" })) };
		expect(await isBelieved(forged, own.ca, name), `${addresses} ${name}`).toBe(isPermitted);
	}
});

test("[RC22] a certificate is made anew before it ends and when the names change; the authority that phones trust stays", async () => {
	let now = Date.now();
	let current = names;
	const certificates = createLanCertificates(home, { names: () => current, now: () => now });
	const first = await issue(certificates);
	expect(await issue(certificates)).toBe(first);
	now += 61 * DAY_MS;
	const renewed = await issue(certificates);
	expect([renewed.cert === first.cert, renewed.fingerprint === first.fingerprint]).toEqual([false, true]);
	expect(Date.parse(new X509Certificate(renewed.cert).validTo)).toBeGreaterThan(now + 60 * DAY_MS);
	current = { ...names, addresses: ["10.1.2.3"] };
	const moved = await issue(certificates);
	expect([moved.names, moved.fingerprint]).toEqual([["10.1.2.3", "box.local"], first.fingerprint]);
	// Another process, or the next start.
	expect((await issue(createLanCertificates(home, { names: () => current }))).fingerprint).toBe(first.fingerprint);
	// Of half its length: a new one, which phones have to trust again.
	writeFileSync(join(home, "lan", "ca.pem"), "-----BEGIN CERTIFICATE-----\nMIIB");
	expect((await issue(createLanCertificates(home, { names: () => current }))).fingerprint).not.toBe(first.fingerprint);
	current = { ...names, addresses: [] };
	expect(await certificates.issue()).toBeUndefined();
});

test("[RC24] only addresses of a local network count, and none of tunnels, containers or the internet", () => {
	const card = (address: string, internal = false) => ({
		...{ address, internal, netmask: "255.255.255.0", family: "IPv4" as const, mac: "00:00:00:00:00:00", cidr: `${address}/24` },
	});
	const interfaces = {
		lo: [card("127.0.0.1", true)],
		eth0: [card("203.0.113.7"), card("192.168.1.5")],
		docker0: [card("172.17.0.1")],
		tailscale0: [card("100.64.0.9")],
		wlan0: [card("10.0.0.7")],
	};
	expect(lanNames(interfaces, "Box")).toEqual({ addresses: ["192.168.1.5", "10.0.0.7"], name: "box.local" });
	expect(lanNames({}, "a name with blanks")).toEqual({ addresses: [], name: undefined });
});
