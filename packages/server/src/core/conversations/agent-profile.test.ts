import { afterEach, beforeEach, expect, test } from "vitest";
import { type CoreBed, createCoreBed } from "../../../../../test/support/core.ts";

let bed: CoreBed;
beforeEach(async () => {
	bed = await createCoreBed();
});
afterEach(() => bed.close());

test("[SA31] an agent of the folder is stored and shown with the conversation, and taken back; any other is refused", async () => {
	const id = await bed.begin();
	await expect(bed.conversations.update(id, { agentProfile: "poet" })).rejects.toMatchObject({
		code: "unknown-option",
		params: { reason: "no-profile", value: "poet" },
	});
	Object.assign(bed.runtime, { profiles: async () => ["poet"] });
	expect(await bed.conversations.update(id, { agentProfile: "poet" })).toMatchObject({ agentProfile: "poet" });
	await expect(bed.conversations.update(id, { agentProfile: "nobody" })).rejects.toMatchObject({ code: "unknown-option" });
	expect(bed.conversations.get(id).agentProfile).toBe("poet");
	expect(await bed.conversations.create({ agentProfile: "poet" })).toMatchObject({ agentProfile: "poet" });
	const count = bed.conversations.list().conversations.length;
	await expect(bed.conversations.create({ agentProfile: "nobody" })).rejects.toMatchObject({ code: "unknown-option" });
	await expect(bed.conversations.check({ agentProfile: "nobody" })).rejects.toMatchObject({ code: "unknown-option" });
	expect(bed.conversations.list().conversations).toHaveLength(count);
	await bed.conversations.update(id, { agentProfile: "" });
	expect(bed.conversations.get(id).agentProfile).toBeUndefined();
});
