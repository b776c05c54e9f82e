/** One picture of a film: what changed since the one before, where, and for how long it stands. */
export interface FilmFrame {
	/** A whole WebP file of one picture, as a canvas writes it. */
	webp: Buffer;
	/** Where its left upper corner lies; even numbers, the format halves them. */
	x: number;
	y: number;
	width: number;
	height: number;
	durationMs: number;
}

const ANIMATION = 0x02;
const ALPHA = 0x10;

/** Puts pictures together to one WebP that moves, for ever. Each is drawn over the ones before it. */
export function animatedWebp(width: number, height: number, frames: readonly FilmFrame[]): Buffer {
	const header = Buffer.alloc(10);
	header[0] = ANIMATION | ALPHA;
	header.writeUIntLE(width - 1, 4, 3);
	header.writeUIntLE(height - 1, 7, 3);
	const parts = [chunk("VP8X", header), chunk("ANIM", Buffer.alloc(6)), ...frames.map(animationFrame)];
	return chunk("RIFF", Buffer.concat([Buffer.from("WEBP"), ...parts]));
}

/** The parts of a WebP by name, those of its frames not included. */
export function readWebp(file: Buffer): { name: string; data: Buffer }[] {
	const parts: { name: string; data: Buffer }[] = [];
	for (let at = 12; at + 8 <= file.length; ) {
		const size = file.readUInt32LE(at + 4);
		parts.push({ name: file.toString("latin1", at, at + 4), data: file.subarray(at + 8, at + 8 + size) });
		at += 8 + size + (size % 2);
	}
	return parts;
}

function animationFrame({ webp, x, y, width, height, durationMs }: FilmFrame): Buffer {
	const header = Buffer.alloc(16);
	[x / 2, y / 2, width - 1, height - 1, durationMs].forEach((value, index) => void header.writeUIntLE(value, index * 3, 3));
	// A canvas wraps a picture with alpha; inside a frame only the picture itself may stand.
	const picture = readWebp(webp).filter(({ name }) => /^(?:ALPH|VP8 |VP8L)$/.test(name));
	return chunk("ANMF", Buffer.concat([header, ...picture.map(({ name, data }) => chunk(name, data))]));
}

function chunk(name: string, data: Buffer): Buffer {
	const head = Buffer.alloc(8, name, "latin1");
	head.writeUInt32LE(data.length, 4);
	return Buffer.concat([head, data, Buffer.alloc(data.length % 2)]);
}
