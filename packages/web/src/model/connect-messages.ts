import { defineWords } from "../i18n/words.ts";

export const connectWords = defineWords(
	{ copilot: "GitHub Copilot", own: "Your own model (OpenAI-compatible: Ollama, LM Studio, vLLM …)" },
	{ copilot: "GitHub Copilot", own: "自己的模型（相容 OpenAI：Ollama、LM Studio、vLLM …）" },
);
