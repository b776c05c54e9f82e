import { startScriptedModel } from "../../test/support/scripted-model.ts";
import { type Step, tokens } from "../../test/support/scripted-model-steps.ts";
import type { Script } from "./start-model.ts";

// The model in a process of its own: its work must not be counted as the work of what is measured.
const model = await startScriptedModel();
process.on("message", (script: Script) => {
	model.default(() => [answer(script)]);
	process.send?.("scripted");
});
process.on("disconnect", () => process.exit());
process.send?.(model.url);

function answer(script: Script): Step {
	if ("tokens" in script) return tokens(script.tokens.count, script.tokens.perSecond);
	const size = Math.ceil(script.text.length / script.pieces);
	return tokens(script.pieces, script.perSecond, (index) => script.text.slice(index * size, (index + 1) * size));
}
