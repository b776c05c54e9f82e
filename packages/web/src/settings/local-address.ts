/** Whether an address leads only to the machine that it is opened on. */
export const isLocalAddress = (url: string): boolean => /^https?:\/\/(127\.|(rightseat\.)?localhost|\[::1\])/.test(url);
