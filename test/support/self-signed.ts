import { createSign, generateKeyPairSync } from "node:crypto";

/** A certificate for an hour, made by hand: no tool of the machine is needed. */
export function selfSigned(): { cert: string; key: string } {
	const { privateKey, publicKey } = generateKeyPairSync("ec", { namedCurve: "prime256v1" });
	const algorithm = der(0x30, oid(0x2a, 0x86, 0x48, 0xce, 0x3d, 0x04, 0x03, 0x02));
	const name = der(0x30, der(0x31, der(0x30, oid(0x55, 0x04, 0x03), der(0x0c, Buffer.from("rightseat test")))));
	const time = (at: number) => der(0x17, Buffer.from(`${new Date(at).toISOString().replace(/[-:T]/g, "").slice(2, 14)}Z`));
	const validity = der(0x30, time(Date.now() - 3_600_000), time(Date.now() + 3_600_000));
	const content = der(
		0x30,
		der(0xa0, der(0x02, Buffer.from([2]))),
		der(0x02, Buffer.from([1])),
		algorithm,
		name,
		validity,
		name,
		publicKey.export({ type: "spki", format: "der" }),
	);
	const signature = createSign("sha256").update(content).sign(privateKey);
	const whole = der(0x30, content, algorithm, der(0x03, Buffer.concat([Buffer.from([0]), signature])));
	const lines =
		whole
			.toString("base64")
			.match(/.{1,64}/g)
			?.join("\n") ?? "";
	return {
		cert: `-----BEGIN CERTIFICATE-----\n${lines}\n-----END CERTIFICATE-----\n`,
		key: String(privateKey.export({ type: "pkcs8", format: "pem" })),
	};
}

const oid = (...bytes: number[]) => der(0x06, Buffer.from(bytes));

function der(tag: number, ...parts: Buffer[]): Buffer {
	const content = Buffer.concat(parts);
	const length = content.length;
	const head = length < 128 ? [tag, length] : length < 256 ? [tag, 0x81, length] : [tag, 0x82, length >> 8, length & 255];
	return Buffer.concat([Buffer.from(head), content]);
}
