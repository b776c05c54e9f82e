export { cutText, cutTextTail } from "@rightseat/protocol/text";
