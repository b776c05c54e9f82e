import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { createPictures, MAX_PICTURE_BYTES, MAX_PICTURES_BYTES } from "./pictures.ts";

test("[SR26] pictures are in the file up to a bound each and in all; others, and what is no picture or gone, are named only", async () => {
	const folder = await mkdtemp(join(tmpdir(), "rightseat-pictures-"));
	const path = join(folder, "p");
	await writeFile(path, "bytes");
	const kinds = {
		small: { mimeType: "image/png", size: 5, path },
		large: { mimeType: "image/png", size: MAX_PICTURE_BYTES + 1, path },
		most: { mimeType: "image/jpeg", size: MAX_PICTURE_BYTES, path },
		vector: { mimeType: "image/svg+xml", size: 5, path },
		gone: { mimeType: "image/png", size: 5, path: join(folder, "none") },
	};
	const get = (id: string) => {
		const found = Object.entries(kinds).find(([kind]) => kind === id)?.[1];
		if (found === undefined) throw new Error("not found");
		return { id, name: id, ...found };
	};
	const picture = createPictures({ get });
	const asked = (id: string) => picture({ id, name: id, mimeType: "image/png", size: 1 });
	expect(await Promise.all(["large", "vector", "gone", "unknown", "small"].map(asked))).toEqual([
		...[undefined, undefined, undefined, undefined],
		`data:image/png;base64,${Buffer.from("bytes").toString("base64")}`,
	]);
	const many = await Promise.all(Array.from({ length: MAX_PICTURES_BYTES / MAX_PICTURE_BYTES + 1 }, () => asked("most")));
	expect(many.filter((found) => found !== undefined)).toHaveLength(MAX_PICTURES_BYTES / MAX_PICTURE_BYTES - 1);
	await rm(folder, { recursive: true });
});
