/** The drawing of a QR code out of the server's SVG, so that the page draws it itself and takes over no markup. */
export function qrPath(svg: string): { size: number; path: string } | undefined {
	const size = Number(/viewBox="0 0 (\d+) \d+"/.exec(svg)?.[1]);
	const path = /<path[^>]*\sd="([MLHVZmlhvz0-9 ,.-]+)"/.exec(svg)?.[1];
	return Number.isInteger(size) && path !== undefined ? { size, path } : undefined;
}
