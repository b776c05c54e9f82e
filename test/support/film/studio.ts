import { join } from "node:path";
import type { Page } from "playwright-core";
import type { FilmFrame } from "./animated-webp.ts";

interface Screen {
	page: Page;
	left: number;
	top: number;
	width: number;
	height: number;
}

/** Puts what the screens show beside each other, with a line of words below, and keeps of each picture what changed. */
export interface Studio {
	readonly width: number;
	readonly height: number;
	/** Takes a picture that stands for so long; one that shows nothing new makes the one before stand longer. */
	shoot(caption: string, durationMs: number): Promise<void>;
	readonly frames: readonly FilmFrame[];
}

const CAPTION_HEIGHT = 56;
const MARGIN = 20;

declare global {
	interface Window {
		/** `easel.mjs` */
		easel: { draw(scene: object): Promise<(Omit<FilmFrame, "webp" | "durationMs"> & { webp: string }) | null> };
	}
}

/** `page` is an empty one, where the pictures are put together. */
export async function openStudio(page: Page, screens: readonly Screen[]): Promise<Studio> {
	const width = even(Math.max(...screens.map((screen) => screen.left + screen.width)) + MARGIN);
	const height = even(Math.max(...screens.map((screen) => screen.top + screen.height)) + CAPTION_HEIGHT);
	const frames: FilmFrame[] = [];
	await page.addScriptTag({ path: join(import.meta.dirname, "easel.mjs"), type: "module" });
	return {
		width,
		height,
		frames,
		async shoot(caption, durationMs) {
			const shots = await Promise.all(
				screens.map(async ({ page: screen, ...place }) => ({
					...place,
					png: (await screen.screenshot({ caret: "hide" })).toString("base64"),
				})),
			);
			const scene = { shots, caption, captionAt: height - CAPTION_HEIGHT / 2, width, height };
			const drawn = await page.evaluate((given) => window.easel.draw(given), scene);
			const before = frames.at(-1);
			if (drawn === null && before !== undefined) before.durationMs += durationMs;
			if (drawn !== null) frames.push({ ...drawn, webp: Buffer.from(drawn.webp, "base64"), durationMs });
		},
	};
}

const even = (value: number) => Math.ceil(value / 2) * 2;
