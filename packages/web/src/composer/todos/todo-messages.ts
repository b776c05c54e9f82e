import { defineWords } from "../../i18n/words.ts";

/** Words of the to-do list above the box. */
export const todoWords = defineWords(
	{
		todos: "To-do list",
		progress: "{done} of {count}",
		more: "{count} more || {count} more",
		pending: "to do",
		in_progress: "in progress",
		done: "done",
		blocked: "blocked",
	},
	{
		todos: "待辦清單",
		progress: "{done}／{count}",
		more: "還有 {count} 項",
		pending: "待辦",
		in_progress: "進行中",
		done: "完成",
		blocked: "受阻",
	},
);
