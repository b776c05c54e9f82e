import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { animatedWebp, readWebp } from "../support/film/animated-webp.ts";
import { ROOT } from "./support/source-files.ts";

const MAX_BYTES = 1_500_000;
const FILM = "docs/images/film.webp";
/** Where each picture of a film lies, and how long it stands. */
const picturesOf = (file: Buffer) =>
	readWebp(file)
		.filter(({ name }) => name === "ANMF")
		.map(({ data }) => {
			const [x = 0, y = 0, width = 0, height = 0, durationMs = 0] = [0, 3, 6, 9, 12].map((at) => data.readUIntLE(at, 3));
			return { x: x * 2, y: y * 2, width: width + 1, height: height + 1, durationMs, picture: data.toString("latin1", 16, 20) };
		});

test("[DC1] the film of the README moves for 10 to 40 seconds, within its frame, and takes at most 1.5 MB", () => {
	expect(readFileSync(join(ROOT, "README.md"), "utf8")).toContain(`src="${FILM}"`);
	const file = readFileSync(join(ROOT, FILM));
	expect(file.length).toBeLessThanOrEqual(MAX_BYTES);
	expect(file.readUInt32LE(4)).toBe(file.length - 8);
	const [header] = readWebp(file);
	expect(header?.name).toBe("VP8X");
	const [width, height] = [4, 7].map((at) => (header?.data.readUIntLE(at, 3) ?? 0) + 1);
	const pictures = picturesOf(file);
	expect(pictures.length).toBeGreaterThan(25);
	expect(pictures.filter((each) => each.x + each.width > (width ?? 0) || each.y + each.height > (height ?? 0))).toEqual([]);
	const seconds = pictures.reduce((sum, { durationMs }) => sum + durationMs, 0) / 1_000;
	expect(seconds).toBeGreaterThan(10);
	expect(seconds).toBeLessThan(40);
});

test("[DC1] pictures are put together as the format wants it: even places, sizes less one, odd lengths filled up", () => {
	const chunk = (name: string, data: Buffer) => {
		const size = Buffer.alloc(4);
		size.writeUInt32LE(data.length);
		return Buffer.concat([Buffer.from(name), size, data, Buffer.alloc(data.length % 2)]);
	};
	const still = (bytes: string) => chunk("RIFF", Buffer.concat([Buffer.from("WEBP"), chunk("VP8L", Buffer.from(bytes))]));
	const film = animatedWebp(300, 200, [
		{ webp: still("first"), x: 0, y: 0, width: 300, height: 200, durationMs: 800 },
		{ webp: still("second"), x: 258, y: 4, width: 7, height: 1, durationMs: 70_000 },
	]);
	expect(film.readUInt32LE(4)).toBe(film.length - 8);
	expect(readWebp(film).map(({ name, data }) => [name, data.length])).toEqual([
		["VP8X", 10],
		["ANIM", 6],
		["ANMF", 16 + 8 + 6],
		["ANMF", 16 + 8 + 6],
	]);
	expect(picturesOf(film)).toEqual([
		{ x: 0, y: 0, width: 300, height: 200, durationMs: 800, picture: "VP8L" },
		{ x: 258, y: 4, width: 7, height: 1, durationMs: 70_000, picture: "VP8L" },
	]);
});
