// Runs in a page of its own: its canvas puts screenshots together and encodes, without loss, what changed since the picture before.

/** @typedef {{ png: string, left: number, top: number, width: number, height: number }} Shot */

/** A colour that covers fewer points than this is an edge of a letter or a shadow. */
const AREA = 400;
/** @type {Uint32Array | undefined} */
let shown;

window.easel = {
	/** @param {{ shots: Shot[], caption: string, captionAt: number, width: number, height: number }} scene */
	async draw({ shots, caption, captionAt, width, height }) {
		const context = canvas(width, height);
		context.fillStyle = "#e7e3dc";
		context.fillRect(0, 0, width, height);
		for (const shot of shots) await drawScreen(context, shot);
		context.fillStyle = "#2b2a27";
		context.font = "600 20px system-ui, sans-serif";
		context.textAlign = "center";
		context.textBaseline = "middle";
		context.fillText(caption, width / 2, captionAt);
		const now = withFewerShades(new Uint32Array(context.getImageData(0, 0, width, height).data.buffer));
		const before = shown;
		shown = now;
		const isNew = (/** @type {number} */ at) => before?.[at] !== now[at];
		const place = changedRectangle(isNew, width, height);
		return place === undefined ? null : { ...place, webp: await encode(cutOut(now, isNew, place, width), place) };
	},
};

/** @param {number} width @param {number} height */
function canvas(width, height) {
	const context = new OffscreenCanvas(width, height).getContext("2d", { willReadFrequently: true });
	if (context === null) throw new Error("No canvas.");
	return context;
}

/** @param {OffscreenCanvasRenderingContext2D} context @param {Shot} shot */
async function drawScreen(context, { png, left, top, width, height }) {
	const picture = await createImageBitmap(await (await fetch(`data:image/png;base64,${png}`)).blob());
	context.save();
	context.beginPath();
	context.roundRect(left, top, width, height, 12);
	context.fillStyle = "#b9b2a6";
	context.fill();
	context.beginPath();
	context.roundRect(left + 1, top + 1, width - 2, height - 2, 11);
	context.clip();
	context.drawImage(picture, left, top);
	context.restore();
}

/** Edges and shadows in fewer steps of brightness look the same and take half of the bytes; whole areas keep their colour. @param {Uint32Array} colours */
function withFewerShades(colours) {
	const counts = new Map();
	for (const colour of colours) counts.set(colour, (counts.get(colour) ?? 0) + 1);
	const step = (/** @type {number} */ value, /** @type {number} */ size) => Math.round(value / size) * size;
	const byte = (/** @type {number} */ value) => Math.max(0, Math.min(255, value));
	return colours.map((colour) => {
		if (counts.get(colour) >= AREA) return colour;
		const [red, green, blue] = [colour & 0xff, (colour >>> 8) & 0xff, (colour >>> 16) & 0xff];
		const bright = step(green, 10);
		const [newRed, newBlue] = [byte(bright + step(red - green, 6)), byte(bright + step(blue - green, 6))];
		return (0xff000000 | (newBlue << 16) | (byte(bright) << 8) | newRed) >>> 0;
	});
}

/** The smallest that holds all that is new; it begins at even numbers. @param {(at: number) => boolean} isNew @param {number} width @param {number} height */
function changedRectangle(isNew, width, height) {
	let [left, top, right, bottom] = [width, height, -1, -1];
	for (let at = 0; at < width * height; at++) {
		if (!isNew(at)) continue;
		const [x, y] = [at % width, Math.floor(at / width)];
		left = Math.min(left, x);
		right = Math.max(right, x);
		top = Math.min(top, y);
		bottom = y;
	}
	if (right === -1) return undefined;
	const [x, y] = [left - (left % 2), top - (top % 2)];
	return { x, y, width: right - x + 1, height: bottom - y + 1 };
}

/** @typedef {{ x: number, y: number, width: number, height: number }} Place */

/** What is not new is transparent. @param {Uint32Array} colours @param {(at: number) => boolean} isNew @param {Place} place @param {number} stride */
function cutOut(colours, isNew, place, stride) {
	const cut = new Uint32Array(place.width * place.height);
	return cut.map((_, index) => {
		const at = (place.y + Math.floor(index / place.width)) * stride + place.x + (index % place.width);
		return isNew(at) ? (colours[at] ?? 0) : 0;
	});
}

/** @param {Uint32Array<ArrayBuffer>} colours @param {Place} place */
async function encode(colours, { width, height }) {
	const context = canvas(width, height);
	context.putImageData(new ImageData(new Uint8ClampedArray(colours.buffer), width, height), 0, 0);
	// At the full quality Chromium encodes without loss.
	const bytes = new Uint8Array(await (await context.canvas.convertToBlob({ type: "image/webp", quality: 1 })).arrayBuffer());
	let text = "";
	for (let at = 0; at < bytes.length; at += 0x8000) text += String.fromCharCode(...bytes.subarray(at, at + 0x8000));
	return btoa(text);
}
