import { expect, test } from "vitest";
import { AppError } from "../../../core/kernel/errors.ts";
import { readOutboundFile } from "./outbound-file.ts";

test("[SH104] a file on a mount that does not answer is refused before this process touches it", async () => {
	const folders = {
		look: async (path: string) => {
			if (path.startsWith("/dead")) throw new AppError("folder-not-answering", `${path} does not answer.`);
			return { realPath: path, isDirectory: true };
		},
	};
	const file = await readOutboundFile({ path: "report.txt", cwd: "/dead/project", root: "/dead/project", home: "/home", folders });
	expect(file).toEqual({ ok: false, reason: expect.stringContaining("does not answer.") });
});
