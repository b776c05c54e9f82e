import { workForParent } from "./worker.ts";

workForParent();
