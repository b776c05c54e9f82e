/** What was written into the box of `early.html` while the page's code was on its way. */
export interface EarlyText {
	/** Undefined when nobody wrote and the boot script, which may come after the page's code, had not shown the draft either: the draft stays. */
	text: string | undefined;
	selectionStart: number;
	selectionEnd: number;
	focused: boolean;
	/** Enter was pressed. */
	send: boolean;
}

/** Removes the early box and hands over what it holds, at once or when the word that is being composed is whole. */
export function takeEarlyBox(document: Document, receive: (early: EarlyText) => void): void {
	const frame = document.getElementById("early");
	const box = frame?.querySelector("textarea");
	if (frame === null || box === null || box === undefined) return;
	const take = () => {
		const { value, selectionStart, selectionEnd } = box;
		const text = value === "" && box.dataset.ready === undefined ? undefined : value;
		const focused = document.activeElement === box;
		const send = box.dataset.send !== undefined;
		frame.remove();
		receive({ text, selectionStart, selectionEnd, focused, send });
	};
	if (box.dataset.composing === undefined) take();
	else box.addEventListener("compositionend", take, { once: true });
}

/** Hides it and keeps its text: after a login the real box takes it over. */
export function hideEarlyBox(document: Document): void {
	const frame = document.getElementById("early");
	if (frame !== null) frame.hidden = true;
}
