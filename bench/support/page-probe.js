// Runs in the page before its own scripts. Plain JavaScript: what a compiler adds to functions does not exist there.
(() => {
	const text = () => document.querySelector('[role="log"]')?.textContent ?? "";
	/** @returns {Promise<number>} */
	const frame = () => new Promise((resolve) => requestAnimationFrame(resolve));

	/**
	 * Looks once a frame; watching every change would be work that the page itself does not have.
	 * @param {number} begin @param {string} wanted @returns {Promise<number>} time from `begin` until the text stands there and was painted
	 */
	const whenShown = async (begin, wanted) => {
		while (!text().slice(-2_000).includes(wanted)) await frame();
		await frame();
		return performance.now() - begin;
	};

	/** @param {string} selector @returns {Promise<number>} when such a text box takes words */
	const whenUsable = (selector) =>
		new Promise((resolve) => {
			const look = () => {
				const box = document.querySelector(selector);
				if (!(box instanceof HTMLTextAreaElement) || box.disabled) return;
				observer.disconnect();
				// Nothing is drawn while a style sheet is on its way, and nobody writes into what is not drawn.
				void frame().then(() => resolve(performance.now()));
			};
			const observer = new MutationObserver(look);
			observer.observe(document, { subtree: true, childList: true, attributes: true, attributeFilter: ["disabled"] });
		});

	const probe = {
		/** When a person could begin to write. What stands in the page before its code has come is kept by it. */
		interactiveMs: whenUsable("textarea"),
		/** When the page's own code had drawn everything. */
		wholeMs: whenUsable("#message"),
		/** When there is a document at all. */
		documentMs: new Promise((resolve) => {
			addEventListener("load", () => void frame().then(() => resolve(performance.now())));
		}),
		/** Bytes over the wire of everything asked for until then. */
		bytesUntil(/** @type {number} */ ms) {
			let bytes = 0;
			for (const entry of performance.getEntries())
				if (entry instanceof PerformanceResourceTiming && entry.startTime <= ms) bytes += entry.transferSize;
			return bytes;
		},
		/** Opens a conversation as a person does. @param {string} href @param {string} wanted */
		async open(href, wanted) {
			const link = document.querySelector(`a[href="${href}"]`);
			if (!(link instanceof HTMLElement)) throw new Error(`No link to ${href}`);
			const begin = performance.now();
			link.click();
			return await whenShown(begin, wanted);
		},
		/** Presses the button that shows a whole diff; until its last line was painted. @param {number} count */
		async showAllLines(count) {
			const button = [...document.querySelectorAll("button")].find((each) => each.textContent?.startsWith("Show all"));
			if (button === undefined) throw new Error("Nothing is folded.");
			const begin = performance.now();
			button.click();
			while (document.querySelectorAll(".rv-table tr").length < count) await frame();
			await frame();
			return performance.now() - begin;
		},
		/** As many lines in a document with nothing else: what the browser itself takes. @param {number} count */
		async plainLines(count) {
			const begin = performance.now();
			const list = document.createElement("pre");
			for (let line = 0; line < count; line++) {
				const row = document.createElement("div");
				row.textContent = `${line} + const value${line} = compute(${line}, "${"x".repeat(line % 40)}");`;
				list.append(row);
			}
			document.body.replaceChildren(list);
			await frame();
			await frame();
			return performance.now() - begin;
		},
		whenShown: (/** @type {string} */ wanted) => whenShown(performance.now(), wanted),
		/** Frames and long tasks until `done` is over. @param {Promise<unknown>} done */
		async watch(done) {
			let longestTaskMs = 0;
			let longestGapMs = 0;
			let frames = 0;
			const observer = new PerformanceObserver((list) => {
				for (const entry of list.getEntries()) longestTaskMs = Math.max(longestTaskMs, entry.duration);
			});
			observer.observe({ type: "longtask" });
			let over = false;
			const settled = () => {
				over = true;
			};
			done.then(settled, settled);
			const begin = performance.now();
			for (let last = await frame(); !over; ) {
				const now = await frame();
				frames += 1;
				longestGapMs = Math.max(longestGapMs, now - last);
				last = now;
			}
			observer.disconnect();
			return { perSecond: (frames * 1_000) / (performance.now() - begin), longestTaskMs, longestGapMs };
		},
		pause: (/** @type {number} */ ms) => new Promise((resolve) => setTimeout(resolve, ms)),
	};
	Object.assign(window, { probe });
})();
