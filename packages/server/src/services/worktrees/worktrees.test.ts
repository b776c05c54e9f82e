import { expect, test } from "vitest";
import { createFakeClock } from "../../../../../test/support/fake-clock.ts";
import { createLocalGit } from "../../../../../test/support/local-git.ts";
import { conversationId, randomIds } from "../../core/kernel/ids.ts";
import { silentLogger } from "../../core/kernel/logger.ts";
import { openStore } from "../../store/open-store.ts";
import { createWorktrees, MAX_WORKTREES } from "./worktrees.ts";

test("[GI46] so many work trees are kept note of, and no more are made", async () => {
	const clock = createFakeClock();
	const shared = { clock, ids: randomIds, logger: silentLogger };
	const { sql, close } = openStore({ path: ":memory:", ...shared });
	const worktrees = createWorktrees({ home: "/nonexistent", git: createLocalGit(), sql, ...shared });
	for (let index = 0; index < MAX_WORKTREES; index++) {
		const path = `/nonexistent/worktrees/${index}`;
		worktrees.bind({ path, cwd: path, branch: "b", repository: "/nonexistent/r" }, conversationId(`c${index}`));
	}
	await expect(worktrees.add({ cwd: "/nonexistent/r" })).rejects.toMatchObject({
		code: "worktree-refused",
		params: { reason: "too-many" },
	});
	expect(worktrees.of(conversationId("c7"))).toMatchObject({ path: "/nonexistent/worktrees/7", branch: "b" });
	await close();
});
