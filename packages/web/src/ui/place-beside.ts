const GAP_PX = 6;
const MARGIN_PX = 10;

/** Puts a fixed box below its button, or above when there is more room, and always inside the window. */
export function placeBeside(box: HTMLElement, button: Element, align: "start" | "end"): void {
	const from = button.getBoundingClientRect();
	const { offsetWidth: width, offsetHeight: height } = box;
	const wanted = align === "start" ? from.left : from.right - width;
	const left = Math.max(MARGIN_PX, Math.min(wanted, innerWidth - width - MARGIN_PX));
	const below = from.bottom + GAP_PX;
	const fits = below + height + MARGIN_PX <= innerHeight;
	const top = fits ? below : Math.max(MARGIN_PX, from.top - GAP_PX - height);
	box.style.left = `${left}px`;
	box.style.top = `${top}px`;
}
