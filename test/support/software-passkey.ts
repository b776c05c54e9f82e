import { createHash, createSign, generateKeyPairSync, randomBytes } from "node:crypto";

/** A passkey as a phone would keep it, without the phone: it says what a browser's `navigator.credentials` would give to the page. */
export function createSoftwarePasskey(origin: string) {
	const { hostname } = new URL(origin);
	const { privateKey, publicKey } = generateKeyPairSync("ec", { namedCurve: "prime256v1" });
	const id = randomBytes(32);
	const common = { id: id.toString("base64url"), rawId: id.toString("base64url"), type: "public-key", clientExtensionResults: {} };
	const clientData = (type: string, challenge: string) => Buffer.from(JSON.stringify({ type, challenge, origin, crossOrigin: false }));
	const hash = (bytes: Buffer | string) => createHash("sha256").update(bytes).digest();
	let counter = 0;

	function authenticatorData(flags: number, more: Buffer = Buffer.alloc(0)): Buffer {
		counter += 1;
		const count = Buffer.alloc(4);
		count.writeUInt32BE(counter);
		return Buffer.concat([hash(hostname), Buffer.from([flags]), count, more]);
	}

	return {
		create(challenge: string) {
			const jwk = publicKey.export({ format: "jwk" });
			const point = (value: string | undefined) => cborBytes(Buffer.from(value ?? "", "base64url"));
			// {1: 2 (EC2), 3: -7 (ES256), -1: 1 (P-256), -2: x, -3: y}
			const key = Buffer.concat([Buffer.from([0xa5, 1, 2, 3, 0x26, 0x20, 1, 0x21]), point(jwk.x), Buffer.from([0x22]), point(jwk.y)]);
			const credential = Buffer.concat([Buffer.alloc(16), Buffer.from([0, id.length]), id, key]);
			const data = authenticatorData(0x45, credential);
			const attestation = Buffer.concat([
				Buffer.from([0xa3]),
				...[cborText("fmt"), cborText("none"), cborText("attStmt"), Buffer.from([0xa0]), cborText("authData"), cborBytes(data)],
			]);
			const clientDataJSON = clientData("webauthn.create", challenge).toString("base64url");
			return { ...common, response: { clientDataJSON, attestationObject: attestation.toString("base64url") } };
		},
		get(challenge: string) {
			const data = authenticatorData(0x05);
			const json = clientData("webauthn.get", challenge);
			const signature = createSign("sha256")
				.update(Buffer.concat([data, hash(json)]))
				.sign(privateKey);
			const response = {
				clientDataJSON: json.toString("base64url"),
				authenticatorData: data.toString("base64url"),
				signature: signature.toString("base64url"),
			};
			return { ...common, response };
		},
	};
}

const cborText = (text: string) => Buffer.concat([Buffer.from([0x60 + text.length]), Buffer.from(text)]);

function cborBytes(bytes: Buffer): Buffer {
	const head =
		bytes.length < 24 ? [0x40 + bytes.length] : bytes.length < 256 ? [0x58, bytes.length] : [0x59, bytes.length >> 8, bytes.length & 255];
	return Buffer.concat([Buffer.from(head), bytes]);
}
