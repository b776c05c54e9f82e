import { ensureBuilt } from "../../scripts/lib/build.mjs";

/** Browser tests need the built page; `npm test` has built it already. */
export async function setup(): Promise<void> {
	if (process.env.RIGHTSEAT_TEST_BUILT !== "1") await ensureBuilt();
}
