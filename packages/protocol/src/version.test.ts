import { createHash } from "node:crypto";
import { expect, test } from "vitest";
import * as z from "zod/mini";
import { clientFrameSchema } from "./frames/client.ts";
import { serverFrameSchema } from "./frames/server.ts";
import { PROTOCOL_HASH, PROTOCOL_VERSION } from "./version.ts";

test("[AR7] the wire is pinned: a changed frame needs the new hash here, and a new version if older ends would misunderstand it", () => {
	const schemas = JSON.stringify([z.toJSONSchema(clientFrameSchema), z.toJSONSchema(serverFrameSchema)]);
	const hash = createHash("sha256").update(schemas).digest("hex").slice(0, 16);
	expect({ version: PROTOCOL_VERSION, hash }).toEqual({ version: 1, hash: PROTOCOL_HASH });
});
