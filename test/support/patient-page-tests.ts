import { beforeAll } from "vitest";

/**
 * The helpers of Testing Library give up after a second unless told otherwise; on a busy machine that is too soon.
 * Only where there is a document: the other tests need not load the library.
 */
beforeAll(async () => {
	if (!("document" in globalThis)) return;
	const { configure } = await import("@testing-library/dom");
	configure({ asyncUtilTimeout: 15_000 });
	// A request that no test answers is one without a network: the document's own fetch would look for a server and print that there is none.
	globalThis.fetch = () => Promise.reject(new TypeError("Failed to fetch"));
});
