/** `1 object`, `3 objects`; `1 object is`, `3 objects are` where the verb is part of both words. */
export const counted = (count: number, one: string, many = `${one}s`): string => `${count} ${count === 1 ? one : many}`;
