export interface DemoModel {
	url: string;
	key: string;
	close(): Promise<void>;
}
export async function startDemoModel(): Promise<DemoModel> {
	throw new Error("not yet");
}
