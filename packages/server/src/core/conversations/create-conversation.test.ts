import { expect, test } from "vitest";
import { createCoreBed } from "../../../../../test/support/core.ts";

test("[CV145] a conversation whose note cannot be written does not exist, and nobody is told of it", async () => {
	const bed = await createCoreBed();
	const told: string[] = [];
	bed.conversations.onChange((change) => told.push(change.kind));
	const noted: string[] = [];
	const refused = bed.conversations.create({}, ({ id }) => {
		noted.push(id);
		throw new Error("The disk is full.");
	});
	await expect(refused).rejects.toThrow("The disk is full.");
	expect([noted.length, bed.conversations.list().conversations, told]).toEqual([1, [], []]);
	const made = await bed.conversations.create({}, ({ id }) => {
		noted.push(id);
		expect(bed.conversations.list().conversations).toMatchObject([{ id }]);
	});
	expect([noted[1], told]).toEqual([made.id, ["created"]]);
	await bed.close();
});
