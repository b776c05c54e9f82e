import { defineWords } from "../i18n/words.ts";

export const diagramWords = defineWords(
	{ showCode: "Show the code", showPicture: "Show the picture", flowchart: "Flowchart", sequence: "Sequence diagram" },
	{ showCode: "顯示原始碼", showPicture: "顯示圖形", flowchart: "流程圖", sequence: "循序圖" },
);
