import { lastUserText } from "../support/scripted-model.ts";
import { pause, type Step, text, toolCall } from "../support/scripted-model-steps.ts";
import type { World } from "./world.ts";

/** Answers of many unique words, every third with a command in the middle; each names the prompt that it answers. */
export function scriptedAnswers(world: World, words: number): void {
	let answers = 0;
	world.model.default((request) => {
		answers += 1;
		const answer = `${Date.now() % 1e7}-${answers}`;
		const steps: Step[] = [];
		for (let word = 0; word < words; word += 1) steps.push(text(`${answer}w${word} `), pause(8));
		const afterTool = request.body.messages.at(-1)?.role === "tool";
		if (!afterTool && answers % 3 === 0) steps.push(toolCall("Bash", { command: `echo tool-${answer} >> ran.log; sleep 0.2` }));
		else steps.push(text(`answer to ${lastUserText(request).trim().split("\n").at(-1) ?? ""}`));
		return steps;
	});
}
